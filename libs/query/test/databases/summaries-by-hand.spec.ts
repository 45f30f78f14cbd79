// The tests of ../summaries-by-hand.spec.ts on PostgreSQL and MariaDB.
import '../summaries-by-hand.spec.js';
