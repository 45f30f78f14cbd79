// The tests of ../nulls-first.spec.ts on PostgreSQL and MariaDB.
import '../nulls-first.spec.js';
