// The tests of ../relations.spec.ts on PostgreSQL and MariaDB.
import '../relations.spec.js';
