// Of the built package, in a process of its own: Jest keeps objects alive that nobody else would.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

interface Figures {
  readonly bytesPerSession: number;
  readonly bytesLeftPerSession: number;
  readonly bytesPerCall: number;
  readonly callsPerSecond: number;
}

const LOAD = fileURLToPath(new URL('./load.mjs', import.meta.url));

async function load(platform: string): Promise<Figures> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--no-warnings', LOAD, platform],
    { timeout: LONGEST_WAIT_MS },
  );
  return JSON.parse(stdout) as Figures;
}

describe.each(platforms)('a long-lived process on $name', ({ name: platform }) => {
  it('answers 1,000 sessions and 200 callers at once rightly, and keeps nothing', async () => {
    const figures = await load(platform);
    process.stderr.write(`${platform}: ${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({
      sessions: 1_000,
      refused: 400,
      inSessions: 1_000,
      together: 200,
      ended: 1_000,
      calls: 50_000,
    });
    expect(figures.bytesPerSession).toBeGreaterThan(0);
    expect(figures.bytesPerSession).toBeLessThan(10_000);
    expect(figures.bytesLeftPerSession).toBeLessThan(1_000);
    expect(figures.bytesPerCall).toBeLessThan(100);
  });
});
