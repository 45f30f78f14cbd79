// The tests of ../relations-typeorm.spec.ts on PostgreSQL and MariaDB.
import '../relations-typeorm.spec.js';
