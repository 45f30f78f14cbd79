export { cappedCount, estimatedCount } from './count.js';
export {
  type KyselyAdapter,
  kyselyAdapter,
  type KyselyKeysetQuery,
  type KyselyQuery,
} from './kysely.adapter.js';
export type { KyselyPage, KyselyQueryConfig } from './kysely-page.js';
export type { SqlJoin, SqlRelation } from '../shared-sql/sql-join.js';
