// The tests of ../rls.spec.ts on PostgreSQL.
import '../rls.spec.js';
