// Runs the built package in a separate process, because Jest keeps objects alive.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

interface Figures {
  readonly bytesPerCycle: number;
  readonly bytesPerSocket: number;
}

const LOAD = fileURLToPath(new URL('./subscriptions.mjs', import.meta.url));

describe.each(platforms)('subscribers of a long-lived process on $name', ({ name }) => {
  it('leave nothing behind: 10,000 subscribers and 500 sockets that disappear', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', '--no-warnings', LOAD, name],
      { timeout: LONGEST_WAIT_MS },
    );
    const figures = JSON.parse(stdout) as Figures;
    process.stderr.write(`${name}: ${stdout}`);
    expect(figures).toMatchObject({
      cycles: 10_000,
      visits: 500,
      waiting: 0,
      connections: 1,
      activeSubscriptions: 0,
      subscriptions: 4_000 + 2 * 300 + 10_000 + 2 * 500,
      errors: 0,
    });
    expect(figures.bytesPerCycle).toBeLessThan(100);
    expect(figures.bytesPerSocket).toBeLessThan(1_000);
  });
});
