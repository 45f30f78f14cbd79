import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { listEntries, listPackages } from './scripts/entries.mjs';
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
    ...sourcesOfEntries(),
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
  testTimeout: 300_000,
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

/** Tests run the sources of our packages, which need no build. */
function sourcesOfEntries() {
  const entries = listPackages().flatMap(listEntries);
  return Object.fromEntries(
    entries.map(({ name, source }) => [`^${name}$`, `<rootDir>/${source}`]),
  );
}

/** On a Node.js for which better-sqlite3 was not built, tests of SQLite run on the one Node.js brings along. */
function sqlite() {
  const require = createRequire(import.meta.url);
  try {
    new (require('better-sqlite3'))(':memory:').close();
    return {};
  } catch {
    const fault = `better-sqlite3 does not load on Node.js ${process.version}`;
    if (!isBuiltin('node:sqlite')) {
      throw new Error(
        `${fault}, which has no SQLite of its own. Use Node.js 22.13 or later, or let better-sqlite3 be built: ` +
          'install a C++ compiler, make and Python, and run npm rebuild better-sqlite3.',
      );
    }
    console.warn(`${fault}: SQLite is node:sqlite.`);
    return { '^better-sqlite3$': '<rootDir>/test/support/better-sqlite3.cjs' };
  }
}
