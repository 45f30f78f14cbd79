// The test command of an application: the test that is added to its generated spec, and the
// configuration of its runner.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const IMPORTS = `import { McpAdapter } from '@fledge/mcp';
import { AppModule } from './app.module.js';
`;

const TEST = `
describe('AppModule', () => {
  it('has its routes as tools', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const app = module.createNestApplication();
    await app.init();
    const names = app.get(McpAdapter, { strict: false }).getTools().map((tool) => tool.name);
    expect(names.sort()).toEqual(['reader', 'tasks_add', 'tasks_find', 'tasks_list']);
    await app.close();
  });
});
`;

/** Adds to the spec of the template a test that starts the module of the application. */
export async function addTestOfModule(app) {
  const file = join(app, 'src/app.controller.spec.ts');
  await writeFile(file, IMPORTS + (await readFile(file, 'utf8')) + TEST);
}

/** Jest for CommonJS on every Node.js: it compiles the packages that are ES modules. */
const JEST_CJS = {
  moduleFileExtensions: ['js', 'mjs', 'ts', 'json'],
  rootDir: 'src',
  testRegex: '.*\\.spec\\.ts$',
  transform: {
    '^.+\\.ts$': ['ts-jest', { diagnostics: false }],
    '^.+\\.m?js$': ['@swc/jest', { jsc: { target: 'es2023' }, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: [
    'node_modules/(?!(.+/node_modules/)?(@fledge|@modelcontextprotocol|@nestjs)/)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
};

const JEST_ESM = {
  moduleFileExtensions: ['js', 'mjs', 'ts', 'json'],
  rootDir: 'src',
  testRegex: '.*\\.spec\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, diagnostics: false }] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
};

/** Sets the test command and its runner. CLI 12 generates Vitest for ES modules: that stays as it is. */
export function setTests(manifest, { nest, modules }) {
  if (nest === 12 && modules === 'esm') return;
  manifest.jest = modules === 'esm' ? JEST_ESM : JEST_CJS;
  const jest = modules === 'esm' ? 'NODE_OPTIONS=--experimental-vm-modules jest' : 'jest';
  manifest.scripts.test = `${jest} --config package.json`;
  if (modules === 'esm') return;
  Object.assign(manifest.devDependencies, { '@swc/core': '^1.16.0', '@swc/jest': '^0.2.39' });
}
