// The tests of ../relations-mikro-orm.spec.ts on PostgreSQL.
import '../relations-mikro-orm.spec.js';
