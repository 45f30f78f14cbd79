// The tests of ../json-columns.spec.ts on PostgreSQL and MariaDB.
import '../json-columns.spec.js';
