import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { anyTierPattern, listSpecs, TIERS, tierPattern } from './scripts/tiers.mjs';

const SPEC = '\\.(?:e2e-)?spec\\.ts$';

/** What every tier shares. */
const project = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  roots: ['<rootDir>/internal', '<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['<rootDir>/test/support/seed.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // Set by scripts/peers.mjs, to run specs against other versions of a peer.
  ...(process.env.FLEDGE_PEERS && { resolver: '<rootDir>/test/support/peer-resolver.cjs' }),
  moduleNameMapper: {
    ...sqlite(),
    // Mercurius requires an ES module of this name, which Jest cannot on Node.js below 24.9. Express has a CommonJS one.
    '^content-disposition$': '<rootDir>/node_modules/content-disposition',
    '^@fledge-internal/needed-module$': '<rootDir>/internal/needed-module/src/index.ts',
    '^@fledge-internal/options$': '<rootDir>/internal/options/src/index.ts',
    '^@fledge/query$': '<rootDir>/libs/query/src/index.ts',
    '^@fledge/query/client$': '<rootDir>/libs/query/src/client/index.ts',
    '^@fledge/query/memory$': '<rootDir>/libs/query/src/memory/index.ts',
    '^@fledge/query/drizzle$': '<rootDir>/libs/query/src/drizzle/index.ts',
    '^@fledge/query/kysely$': '<rootDir>/libs/query/src/kysely/index.ts',
    '^@fledge/query/knex$': '<rootDir>/libs/query/src/knex/index.ts',
    '^@fledge/query/prisma$': '<rootDir>/libs/query/src/prisma/index.ts',
    '^@fledge/query/typeorm$': '<rootDir>/libs/query/src/typeorm/index.ts',
    '^@fledge/query/mikro-orm$': '<rootDir>/libs/query/src/mikro-orm/index.ts',
    '^@fledge/query/mongoose$': '<rootDir>/libs/query/src/mongoose/index.ts',
    '^@fledge/query/nest$': '<rootDir>/libs/query/src/nest/index.ts',
    '^@fledge/core$': '<rootDir>/libs/core/src/index.ts',
    '^@fledge/core/loader$': '<rootDir>/libs/core/src/loader/index.ts',
    '^@fledge/core/packages$': '<rootDir>/libs/core/src/packages.ts',
    '^@fledge/mcp$': '<rootDir>/libs/mcp/src/index.ts',
    '^@fledge/mcp/stdio$': '<rootDir>/libs/mcp/src/stdio.ts',
    '^@fledge/mcp/graphql$': '<rootDir>/libs/mcp/src/graphql/index.ts',
    '^@fledge/mcp/redis$': '<rootDir>/libs/mcp/src/redis/index.ts',
    '^@fledge/mcp/oauth-bridge$': '<rootDir>/libs/mcp/src/oauth-bridge/index.ts',
    '^@fledge/mcp/testing$': '<rootDir>/libs/mcp/src/testing/index.ts',
    '^@fledge/tenant$': '<rootDir>/libs/tenant/src/index.ts',
    '^@fledge/tenant/rls$': '<rootDir>/libs/tenant/src/rls/index.ts',
    '^@fledge/tenant/connections$': '<rootDir>/libs/tenant/src/connections/index.ts',
    '^@fledge/tenant/lifecycle$': '<rootDir>/libs/tenant/src/lifecycle/index.ts',
    '^@fledge/tenant/bullmq$': '<rootDir>/libs/tenant/src/bullmq/index.ts',
    '^@fledge/tenant/microservices$': '<rootDir>/libs/tenant/src/microservices/index.ts',
    '^@fledge/tenant/rabbitmq$': '<rootDir>/libs/tenant/src/rabbitmq/index.ts',
    '^@fledge/tenant/websockets$': '<rootDir>/libs/tenant/src/websockets/index.ts',
    '^@fledge/tenant/throttler$': '<rootDir>/libs/tenant/src/throttler/index.ts',
    '^@fledge/tenant/cache$': '<rootDir>/libs/tenant/src/cache/index.ts',
    '^@fledge/tenant/kysely$': '<rootDir>/libs/tenant/src/kysely/index.ts',
    '^@fledge/tenant/mikro-orm$': '<rootDir>/libs/tenant/src/mikro-orm/index.ts',
    '^@fledge/tenant/mongoose$': '<rootDir>/libs/tenant/src/mongoose/index.ts',
    '^@fledge/tenant/redis$': '<rootDir>/libs/tenant/src/redis/index.ts',
    '^@fledge/tenant/mariadb$': '<rootDir>/libs/tenant/src/mariadb/index.ts',
    '^@fledge/tenant/impersonation$': '<rootDir>/libs/tenant/src/impersonation/index.ts',
    '^@fledge/tenant/testing$': '<rootDir>/libs/tenant/src/testing/index.ts',
    '^@fledge/graphql$': '<rootDir>/libs/graphql/src/index.ts',
    '^@fledge/graphql/apollo$': '<rootDir>/libs/graphql/src/apollo/index.ts',
    '^@fledge/graphql/jit$': '<rootDir>/libs/graphql/src/jit/index.ts',
    '^@fledge/graphql/mercurius$': '<rootDir>/libs/graphql/src/mercurius/index.ts',
    '^@fledge/graphql/yoga$': '<rootDir>/libs/graphql/src/yoga/index.ts',
    '^@fledge/panel$': '<rootDir>/libs/panel/src/index.ts',
    '^@fledge/panel/telemetry$': '<rootDir>/libs/panel/src/telemetry/index.ts',
    '^@electric-sql/pglite$': '<rootDir>/test/support/pglite.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '/fastify/lib/plugin-utils\\.js$': '<rootDir>/test/support/fastify-without-search.cjs',
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!fastify/lib/plugin-utils\\.js$)'],
};

/** ESM Jest: run through `npm test`, which passes --experimental-vm-modules to Node.js. */
export default {
  projects: Object.keys(TIERS).map((tier) => ({
    ...project,
    displayName: tier,
    testRegex: tier === 'unit' ? SPEC : `${tierPattern(tier)}.*${SPEC}`,
    testPathIgnorePatterns: [
      '/node_modules/',
      '/dist/',
      ...(tier === 'unit' ? [anyTierPattern] : findSpecsOfAbsentServices()),
    ],
    // Run only if at least one spec of the tier runs.
    ...(tier === 'packed' && {
      globalSetup: '<rootDir>/test/support/packed/pack.mjs',
      globalTeardown: '<rootDir>/test/support/packed/remove.mjs',
    }),
  })),
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // A limit for what hangs: no test may fail because the machine is busy.
  testTimeout: 120_000,
  // Jest leaves a core free unless told otherwise: of two, one would do nothing.
  maxWorkers: '100%',
  // Modules of finished suites stay in memory: a heap of gigabytes costs more than a new worker.
  workerIdleMemoryLimit: '1GB',
};

/** Paths of the specs that say `// Needs PostgreSQL, Redis.` of a service that scripts/services.mjs did not find. */
function findSpecsOfAbsentServices() {
  const absent = (process.env.FLEDGE_ABSENT_SERVICES ?? '').split(',').filter(Boolean);
  if (absent.length === 0) return [];
  return listSpecs().filter((path) => {
    const needed = /^\/\/ Needs (.*)\.$/m.exec(readFileSync(path, 'utf8'))?.[1]?.split(', ') ?? [];
    return needed.some((service) => absent.includes(service));
  });
}

/** On a Node.js for which better-sqlite3 was not built, tests of SQLite run on the one Node.js brings along. */
function sqlite() {
  const require = createRequire(import.meta.url);
  try {
    new (require('better-sqlite3'))(':memory:').close();
    return {};
  } catch {
    console.warn(
      `better-sqlite3 does not load on Node.js ${process.version}: SQLite is node:sqlite.`,
    );
    return { '^better-sqlite3$': '<rootDir>/test/support/better-sqlite3.cjs' };
  }
}
