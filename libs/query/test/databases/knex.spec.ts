// The tests of ../knex.spec.ts on PostgreSQL and MariaDB.
import '../knex.spec.js';
