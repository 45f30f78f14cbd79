// The tests of ../rls-leaks.spec.ts on PostgreSQL.
import '../rls-leaks.spec.js';
