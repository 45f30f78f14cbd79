// The configuration of Jest in the documents, for the folders that package managers make.
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = readFileSync(fileURLToPath(new URL('../docs/commonjs.md', import.meta.url)), 'utf8');
const configurations = [...page.matchAll(/```json\n(.*?)```/gs)]
  .map(([, json = '']) => JSON.parse(json) as { transformIgnorePatterns?: string[] })
  .flatMap(({ transformIgnorePatterns }) => transformIgnorePatterns ?? []);

describe.each(configurations)('the documented pattern %s', (pattern) => {
  const isCompiled = (path: string) => !new RegExp(pattern).test(path);

  it.each([
    ['npm', '/app/node_modules/NAME/dist/index.js'],
    ['npm, nested', '/app/node_modules/other/node_modules/NAME/dist/index.js'],
    ['npm, linked', '/app/node_modules/.store/NAME@1.0.0/node_modules/NAME/dist/index.js'],
    ['pnpm', '/app/node_modules/.pnpm/PLUS@1.0.0_x@2/node_modules/NAME/dist/index.js'],
    ['a pnpm workspace', '/app/apps/a/node_modules/.pnpm/PLUS@1/node_modules/NAME/index.js'],
    ['Bun', '/app/node_modules/.bun/PLUS@1.0.0/node_modules/NAME/dist/index.js'],
  ])('compiles the packages where they are installed by %s, and no others', (_manager, path) => {
    const pathOf = (name: string) =>
      path.replaceAll('NAME', name).replaceAll('PLUS', name.replace('/', '+'));
    for (const name of ['@fledge/mcp', '@modelcontextprotocol/server', '@nestjs/core']) {
      expect([name, isCompiled(pathOf(name))]).toEqual([name, true]);
    }
    for (const name of ['lodash', '@types/node', 'reflect-metadata']) {
      expect([name, isCompiled(pathOf(name))]).toEqual([name, false]);
    }
  });
});

it('the documents have patterns', () => {
  expect(configurations).toHaveLength(2);
});
