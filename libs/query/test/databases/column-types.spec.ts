// The tests of ../column-types.spec.ts on PostgreSQL and MariaDB.
import '../column-types.spec.js';
