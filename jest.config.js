/** ESM Jest: run through `npm test`, which passes --experimental-vm-modules to Node. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  setupFiles: ['<rootDir>/test/support/seed.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@fledge/query$': '<rootDir>/libs/query/src/index.ts',
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
    '^@fledge/mcp$': '<rootDir>/libs/mcp/src/index.ts',
    '^@fledge/mcp/stdio$': '<rootDir>/libs/mcp/src/stdio.ts',
    '^@fledge/mcp/testing$': '<rootDir>/libs/mcp/src/testing/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
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
  testTimeout: 30_000,
};
