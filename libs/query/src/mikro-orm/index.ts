export { cappedCount, estimatedCount } from './count.js';
export {
  mikroOrmAdapter,
  type MikroOrmAdapter,
  type MikroOrmKeysetQuery,
  type MikroOrmQuery,
  type MikroOrmQueryConfig,
} from './mikro-orm.adapter.js';
export type { PropertyDeclaration, PropertyQueryConfig } from '../resolve/derived-columns.js';
export type { MikroOrmSummarySource } from './summarize-mikro-orm.js';
