// The tests of ../changing-lists.spec.ts on PostgreSQL and MariaDB.
import '../changing-lists.spec.js';
