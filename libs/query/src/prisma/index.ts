export { cappedCount, type PrismaCounting } from './count.js';
export {
  type PrismaAdapter,
  type PrismaFindArgs,
  type PrismaKeysetQuery,
  prismaAdapter,
  type PrismaProvider,
  type PrismaQuery,
  type PrismaQueryConfig,
  type PrismaRelation,
  type PrismaSelected,
} from './prisma.adapter.js';
export type { PrismaSummarySource } from './summarize-prisma.js';
