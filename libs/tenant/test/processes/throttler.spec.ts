// Of the built package, in a process of its own: Jest cannot load what requires Nest.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const APP = fileURLToPath(new URL('../throttler/app.mjs', import.meta.url));

describe.each(platforms)('TenantThrottlerGuard on $name', ({ name }) => {
  let answers: Record<string, string[]>;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--no-warnings', APP, name.toLowerCase()],
      { timeout: LONGEST_WAIT_MS },
    );
    answers = JSON.parse(stdout) as Record<string, string[]>;
  });

  it('refuses the third request of a tenant, and no other tenant', () => {
    expect(answers['oneRoute']).toEqual([
      'a first 200 1',
      'a first 200 0',
      'a first 429 null',
      'b first 200 1',
    ]);
  });

  it('counts all routes of a tenant together', () => {
    expect(answers['acrossRoutes']).toEqual([
      'c first 200 1',
      'c second 200 0',
      'c second 429 null',
      'c first 429 null',
      'd second 200 1',
    ]);
  });

  it('counts a route with @Throttle() separately', () => {
    expect(answers['ownLimit']).toEqual([
      'e strict 200 0',
      'e strict 429 null',
      'e first 200 1',
      'e first 200 0',
      'e second 429 null',
      'f strict 200 0',
    ]);
  });

  it('counts a route with @Throttle() separately, also if it sets only ttl', () => {
    expect(answers['ownTtl']).toEqual([
      'h first 200 1',
      'h first 200 0',
      'h longer 200 1',
      'h longer 200 0',
      'h longer 429 null',
    ]);
  });

  it('counts by tenant and tracker with the option getTracker', () => {
    expect(answers['ownTracker']).toEqual([
      'a first u 200 1',
      'a second u 200 0',
      'a first u 429 null',
      'a first v 200 1',
      'b first u 200 1',
      'a strict u 200 0',
      'b strict u 200 0',
    ]);
  });

  it('separates a tenant from an address with the same name', () => {
    expect(answers['likeAnAddress']).toEqual(['nobody strict 200 0', '127.0.0.1 strict 200 0']);
  });

  it('counts requests without a tenant by address and route', () => {
    expect(answers['nobody']).toEqual([
      'nobody first 200 1',
      'nobody first 200 0',
      'nobody first 429 null',
      'nobody second 200 1',
      'g first 200 1',
    ]);
  });
});
