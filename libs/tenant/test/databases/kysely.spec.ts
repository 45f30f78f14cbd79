// The tests of ../kysely.spec.ts on PostgreSQL and MariaDB.
import '../kysely.spec.js';
