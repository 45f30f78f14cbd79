// The first database of a machine, which has no copy to begin with.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, jest } from '@jest/globals';

const folder = mkdtempSync(join(os.tmpdir(), 'fledge-no-copy-'));
jest.unstable_mockModule('node:os', () => ({ ...os, default: os, tmpdir: () => folder }));
afterAll(() => rmSync(folder, { recursive: true }));

it('makes the copy that the next database begins with', async () => {
  const { PGlite } = await import('./support/pglite.js');
  const countTables = async () => {
    const database = await PGlite.create();
    const { rows } = await database.query('select count(*)::int as tables from pg_tables');
    await database.close();
    return rows;
  };
  const first = await countTables();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^fledge-pglite-.*\.tar$/)]);
  expect(await countTables()).toEqual(first);
});
