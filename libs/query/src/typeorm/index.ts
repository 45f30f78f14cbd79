export { cappedCount, estimatedCount } from './count.js';
export {
  typeOrmAdapter,
  type TypeOrmAdapter,
  type TypeOrmAdapterOptions,
  type TypeOrmBuilderQuery,
  type TypeOrmKeysetQuery,
  type TypeOrmQuery,
  type TypeOrmQueryConfig,
} from './typeorm.adapter.js';
export type { TypeOrmCondition } from './typeorm-condition.js';
export type { PropertyDeclaration, PropertyQueryConfig } from '../resolve/derived-columns.js';
