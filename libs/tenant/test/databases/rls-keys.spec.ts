// The tests of ../rls-keys.spec.ts on PostgreSQL.
import '../rls-keys.spec.js';
