// The tests of ../counts.spec.ts on PostgreSQL and MariaDB.
import '../counts.spec.js';
