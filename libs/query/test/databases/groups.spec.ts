// The tests of ../groups.spec.ts on PostgreSQL and MariaDB.
import '../groups.spec.js';
