// Runs the built package in a separate process, because Jest keeps objects alive.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const LOAD = fileURLToPath(new URL('./revalidation.mjs', import.meta.url));

describe.each(platforms)('subscriptions that are checked many times on $name', ({ name }) => {
  it('leave nothing behind: 10,000 checks', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', '--no-warnings', LOAD, name],
      { timeout: LONGEST_WAIT_MS },
    );
    const figures = JSON.parse(stdout) as { valid: number; bytesPerCheck: number; running: number };
    process.stderr.write(`${name}: ${stdout}`);
    expect(figures).toMatchObject({ valid: 10_000, running: 0 });
    // A context that is kept takes over 500 bytes. The heap varies by up to 0.5 MB between two measurements.
    expect(figures.bytesPerCheck).toBeLessThan(150);
  });
});
