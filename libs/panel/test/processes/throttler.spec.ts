import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { platforms } from '../../../../test/support/platforms.js';

// Runs the built package in another process, because Jest cannot load a CommonJS package that requires Nest.
it.each(platforms)(
  'ThrottlerGuard does not count requests of the panel on $name',
  async ({ name }) => {
    const app = fileURLToPath(new URL('../throttler/app.mjs', import.meta.url));
    const args = ['--no-warnings', app, name.toLowerCase()];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual([200, 200, 200, 429, 200]);
  },
);
