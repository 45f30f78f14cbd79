// The tests of ../drizzle.spec.ts on PostgreSQL and MariaDB.
import '../drizzle.spec.js';
