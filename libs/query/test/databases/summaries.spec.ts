// The tests of ../summaries.spec.ts on PostgreSQL and MariaDB.
import '../summaries.spec.js';
