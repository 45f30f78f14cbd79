// Needs redis-server.
// The recipe of docs/budgets.md, run as it stands there: two processes on one Redis.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emitByTsc } from '../../../../test/support/emitted-by-tsc.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { Cluster, inTurn, orNamed } from '../support/cluster.js';
import { connectEra } from '../support/eras.js';

const PAGE = fileURLToPath(new URL('../../docs/budgets.md', import.meta.url));
const MAIN = `
import 'reflect-metadata';
import { serveProcess } from '../support/serve-process.mjs';
import { AppModule } from './recipe.mjs';
await serveProcess(AppModule, process.argv[2]);
`;

/** The program of the page. */
function recipe(): string {
  return /```ts\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
}

describe.each(platforms)('budgets on $name', ({ name }) => {
  const cluster = new Cluster();
  const folder = mkdtempSync(fileURLToPath(new URL('../.budgets-', import.meta.url)));
  let stopRedis: () => Promise<void>;
  let endpoint: string;

  beforeAll(async () => {
    const port = await freePort();
    stopRedis = await startOwnRedis(port);
    process.env['REDIS_PORT'] = String(port);
    writeFileSync(join(folder, 'recipe.mjs'), emitByTsc(recipe(), 'ESNext'));
    writeFileSync(join(folder, 'main.mjs'), MAIN);
    endpoint = await cluster.start([join(folder, 'main.mjs'), name], orNamed(inTurn()));
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
    rmSync(folder, { recursive: true });
  });

  it('hold for a caller and a tool, over all processes', async () => {
    const as = (who: string, process: number) =>
      connectEra('2026-07-28', endpoint, {
        headers: { authorization: `Bearer ${who}`, 'x-process': String(process) },
        elicit: () => ({ action: 'accept', content: {} }),
      });
    const ada = [await as('ada', 0), await as('ada', 1)];
    const bob = await as('bob', 0);
    for (let i = 0; i < 5; i++) {
      expect((await ada[i % 2]!.call('files_delete', { name: `${i}` })).isError).toBeFalsy();
    }
    for (const { call } of ada) {
      const { isError, structuredContent } = await call('files_delete', { name: 'x' });
      expect({ isError, structuredContent }).toEqual({
        isError: true,
        structuredContent: {
          error: {
            status: 429,
            retryable: true,
            retryAfter: expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
          },
        },
      });
    }
    expect((await bob.call('files_delete', { name: 'x' })).isError).toBeFalsy();
    expect((await ada[0]!.call('files_list')).isError).toBeFalsy();
    for (const { close } of [...ada, bob]) await close();
  });
});
