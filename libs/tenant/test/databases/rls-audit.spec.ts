// The tests of ../rls-audit.spec.ts on PostgreSQL.
import '../rls-audit.spec.js';
