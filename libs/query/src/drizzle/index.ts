export { cappedCount, type DrizzleCounting, estimatedCount } from './count.js';
export {
  type DrizzleAdapter,
  drizzleAdapter,
  type DrizzleKeysetQuery,
  type DrizzleQuery,
  type DrizzleSelected,
} from './drizzle.adapter.js';
export type { DrizzleColumn, DrizzleColumnDeclaration } from './drizzle-column.js';
export type { DrizzleSummarySource } from './summarize-drizzle.js';
export type { DrizzleMember } from './drizzle-member.js';
export type { DrizzleQueryConfig } from './drizzle-config.js';
export type { DrizzleJoin, DrizzleRelation, DrizzleRelations } from './related-tables.js';
