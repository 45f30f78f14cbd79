export {
  type DrizzleAdapter,
  drizzleAdapter,
  type DrizzleKeysetQuery,
  type DrizzleQuery,
} from './drizzle.adapter.js';
export type {
  DrizzleColumn,
  DrizzleColumnDeclaration,
  DrizzleQueryConfig,
} from './drizzle-config.js';
