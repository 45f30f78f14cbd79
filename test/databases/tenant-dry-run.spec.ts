// Needs PostgreSQL.
// The tests of ../tenant-dry-run.spec.ts on PostgreSQL.
import '../tenant-dry-run.spec.js';
