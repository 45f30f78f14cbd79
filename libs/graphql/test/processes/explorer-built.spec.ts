// In the built package the modules stand in other files, from which the files of the explorer are found too.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(file, import.meta.url));

it('the built package serves the explorer of a mount and of Apollo', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [at('../built/explorer.mjs')]);
  expect(stdout.split('\n')).toEqual([
    '/graphql 200 text/html; charset=utf-8',
    '/graphql/explorer.js 200 text/javascript; charset=utf-8',
    '/apollo 200 text/html; charset=utf-8',
    '/apollo/explorer.css 200 text/css; charset=utf-8',
  ]);
});

it('the built package has the licenses of the libraries in the explorer', () => {
  const licenses = readFileSync(at('../../dist/explorer/licenses.md'), 'utf8');
  for (const library of ['@codemirror/view', 'cm6-graphql', 'graphql-ws', 'graphql', 'preact']) {
    expect(licenses).toMatch(new RegExp(`^## ${library} - \\S+ \\(MIT\\)$`, 'm'));
  }
});
