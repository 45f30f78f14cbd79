// `npm run bench:compare` with checkouts whose benchmark only prints.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

const folder = mkdtempSync(join(tmpdir(), 'fledge-bench-compare-'));

/** Its benchmark prints a table and two goals. */
function checkout(name: string, reached: string, exitCode = 0): void {
  mkdirSync(join(folder, name, 'bench'), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), '{"scripts":{"bench":"node bench/run.mjs"}}');
  const lines = [
    '| Express | added µs |',
    '| TENANT_CONTEXT | 12 |',
    `| Tenant: of the bare route | at most 0.25 | ${reached} | not met |`,
    '| Messages: in all | at least 10 | 20.00 ms | met |',
  ];
  const program = `console.log(${JSON.stringify(lines.join('\n'))}); process.exit(${exitCode});`;
  writeFileSync(join(folder, name, 'bench/run.mjs'), program);
}

function compare(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const script = join(root, 'bench/compare.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: folder }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

beforeAll(() => {
  checkout('previous', '0.20');
  checkout('now', '0.30');
  checkout('broken', '0.10', 3);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('bench:compare', () => {
  it('prints what each checkout reached of each goal, in three turns', async () => {
    const { code, out, err } = await compare('previous', 'now', 'tenants', '1', '3');
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        '| Goal | previous | now |',
        '| --- | --: | --: |',
        '| Tenant: of the bare route | 0.2, 0.2, 0.2 | 0.3, 0.3, 0.3 |',
        '| Messages: in all | 20, 20, 20 | 20, 20, 20 |',
        '',
      ].join('\n'),
    });
    const turns = err.trim().split('\n');
    expect(turns.slice(0, 3)).toEqual([
      'previous, turn 1 of 3',
      'now, turn 1 of 3',
      'previous, turn 2 of 3',
    ]);
  });

  it('needs two checkouts and a suite', async () => {
    const usage = 'npm run bench:compare -- ../previous . tenants queries';
    for (const args of [
      [],
      ['previous', 'tenants'],
      ['previous', 'now'],
      ['previous', 'nwo', 'tenants'],
    ]) {
      const { code, err } = await compare(...args);
      expect(code).toBe(1);
      expect(err).toContain(usage);
    }
  });

  it('stops at a checkout whose benchmark fails, and shows what it printed', async () => {
    const { code, out, err } = await compare('broken', 'now', 'tenants');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('npm run bench failed in broken:\n| Express | added µs |');
    expect(err).not.toContain('now, turn');
  });
});
