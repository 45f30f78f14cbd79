/** ESM Jest: run through `npm test`, which passes --experimental-vm-modules to Node. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
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
