// The tests of ../rls-schema.spec.ts on PostgreSQL.
import '../rls-schema.spec.js';
