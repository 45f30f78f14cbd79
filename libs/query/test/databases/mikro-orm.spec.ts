// The tests of ../mikro-orm.spec.ts on PostgreSQL.
import '../mikro-orm.spec.js';
