// The tests of ../relations-drizzle.spec.ts on PostgreSQL and MariaDB.
import '../relations-drizzle.spec.js';
