import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpOptionError } from '../mcp.errors.js';
import { readOperationFiles } from './operation-files.js';

const folder = mkdtempSync(join(tmpdir(), 'fledge-operations-'));
const FILES = [
  'a.graphql',
  'b.gql',
  'c.txt',
  'deep/er/d.graphql',
  'deep/e.query.graphql',
  'node_modules/f.graphql',
  '.hidden/g.graphql',
];

beforeAll(() => {
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

async function found(...patterns: string[]): Promise<string[]> {
  const files = await readOperationFiles(patterns.map((pattern) => join(folder, pattern)));
  for (const { body, name } of files)
    expect(name).toBe(relative(process.cwd(), join(folder, body)));
  return files.map(({ body }) => body);
}

describe('the files of operations', () => {
  it.each([
    ['', ['a.graphql', 'b.gql', 'deep/e.query.graphql', 'deep/er/d.graphql']],
    ['deep', ['deep/e.query.graphql', 'deep/er/d.graphql']],
    ['c.txt', ['c.txt']],
    ['*.graphql', ['a.graphql']],
    ['**/*.graphql', ['a.graphql', 'deep/e.query.graphql', 'deep/er/d.graphql']],
    ['deep/**', ['deep/e.query.graphql', 'deep/er/d.graphql']],
    ['*/*.query.graphql', ['deep/e.query.graphql']],
    ['*.{gql,txt}', ['b.gql', 'c.txt']],
    ['**/{a,d}.graphql', ['a.graphql', 'deep/er/d.graphql']],
  ])('of "%s"', async (pattern, expected) => {
    expect(await found(pattern)).toEqual(expected);
  });

  it('are read once, though several patterns match', async () => {
    expect(await found('a.graphql', '*.graphql')).toEqual(['a.graphql']);
  });

  it.each(['none', '*.none', 'a.graphql/b', 'aXgraphql', 'a?graphql'])(
    'must exist: %s',
    async (pattern) => {
      await expect(found('a.graphql', pattern)).rejects.toThrow(McpOptionError);
    },
  );
});
