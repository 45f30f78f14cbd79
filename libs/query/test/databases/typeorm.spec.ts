// The tests of ../typeorm.spec.ts on PostgreSQL and MariaDB.
import '../typeorm.spec.js';
