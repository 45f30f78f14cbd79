export { cappedCount, estimatedCount } from './count.js';
export {
  type KnexAdapter,
  knexAdapter,
  type KnexKeysetQuery,
  type KnexQuery,
} from './knex.adapter.js';
export type { KnexPage, KnexQueryConfig } from './knex-page.js';
export type { SqlJoin, SqlRelation } from '../shared-sql/sql-join.js';
