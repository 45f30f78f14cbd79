// An export holds one page in memory: 100 MB pass through a heap of 32 MB.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('../support/export-rows.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fledge-query-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('exports 200,000 rows within a small heap', () => {
  const args = ['--max-old-space-size=32', program, '200000', folder];
  const { lines, bytes } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  ) as {
    readonly lines: number;
    readonly bytes: number;
  };
  expect(lines).toBe(200_001);
  expect(bytes).toBeGreaterThan(100_000_000);
}, 120_000);
