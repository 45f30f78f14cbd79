export {
  type PrismaAdapter,
  type PrismaFindArgs,
  type PrismaKeysetQuery,
  prismaAdapter,
  type PrismaProvider,
  type PrismaQuery,
  type PrismaQueryConfig,
} from './prisma.adapter.js';
