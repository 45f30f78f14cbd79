// Needs redis-server.
// Two processes of the built package behind a proxy that gives each request to the next of them. Their tasks are in a
// Redis that the test starts and ends.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, inTurn, orNamed } from '../support/cluster.js';
import { TaskClient } from '../support/task-client.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const APP = fileURLToPath(new URL('../several-processes/tasks.mjs', import.meta.url));
/** Requests, of which each task takes two or more. */
const CALLS = Number(process.env['FLEDGE_INTERLEAVED_CALLS'] ?? 400);
const PRINCIPALS = 50;
/** Every so many tasks, a principal asks for the task of another. */
const STOLEN = 5;
const OPTIONS = { ttlMs: 600_000, max: 100_000 };

describe.each(platforms)('two processes that share tasks, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  let endpoint: string;
  let ada: TaskClient;
  let stopRedis: () => Promise<void>;

  beforeAll(async () => {
    const port = await freePort();
    stopRedis = await startOwnRedis(port);
    const args = [APP, platform, String(port), JSON.stringify(OPTIONS)];
    endpoint = await cluster.start(args, orNamed(inTurn()));
    ada = new TaskClient(endpoint, 'ada');
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
  });

  const pidOf = (process: number) => cluster.children[process]!.pid;

  async function seenAt(process: number): Promise<readonly string[]> {
    const answer = await fetch(cluster.endpointOf(process, '/seen'));
    return ((await answer.json()) as { readonly seen: readonly string[] }).seen;
  }

  it('begin a task at one, and answer for it at the other', async () => {
    for (const [runs, asked] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const word = `word-${runs}`;
      const id = await ada.at(runs).begin('work', { word });
      const working = await ada
        .at(asked)
        .until(id, ({ statusMessage }) => statusMessage !== undefined);
      expect(working).toMatchObject({
        status: 'working',
        statusMessage: `${word} in ${pidOf(runs)}`,
        ttlMs: OPTIONS.ttlMs,
      });
      expect(working).not.toHaveProperty('owner');
      await fetch(cluster.endpointOf(runs, `/release/${word}`), { method: 'POST' });
      expect(await ada.at(asked).resultOf(id)).toEqual({ word, pid: pidOf(runs) });
      expect(await ada.at(runs).resultOf(id)).toEqual({ word, pid: pidOf(runs) });
    }
  });

  it('close the inner request at one when the task is cancelled at the other', async () => {
    const id = await ada.at(0).begin('work', { word: 'cancelled' });
    await until(async () => (await seenAt(0)).includes('cancelled begins'));
    expect((await ada.at(1).cancel(id)).result).toMatchObject({ resultType: 'complete' });
    await until(async () => (await seenAt(0)).includes('cancelled was closed'));
    for (const process of [0, 1]) {
      expect((await ada.at(process).get(id)).result.status).toBe('cancelled');
    }
  });

  it('show questions and take answers at the other', async () => {
    const id = await ada.at(0).begin('ask');
    const other = ada.at(1);
    await other.until(id, ({ inputRequests }) => 'name' in (inputRequests ?? {}));
    await other.update(id, { name: 5, other: { action: 'accept' } });
    await other.update(id, { name: { action: 'accept', content: { name: 'Ada' } } });
    await other.until(id, ({ inputRequests }) => 'name-2' in (inputRequests ?? {}));
    await other.update(id, { 'name-2': { action: 'decline' } });
    expect(await other.resultOf(id)).toEqual({ names: ['Ada', 'decline'], pid: pidOf(0) });
  });

  it('know no tasks of another principal, at either', async () => {
    const id = await ada.begin('work', { word: 'private' });
    const grace = new TaskClient(endpoint, 'grace');
    const nowhere = '00000000-0000-4000-8000-000000000000';
    // A Redis that has just been started may get tasks back from their processes.
    await until(async () => (await grace.get(nowhere)).status !== 503);
    const unknown = await grace.get(nowhere);
    expect(unknown).toMatchObject({ status: 200, error: { code: -32602 } });
    for (const process of [0, 1]) {
      const { status, error } = await grace.at(process).get(id);
      expect({ status, error }).toEqual({ status: unknown.status, error: unknown.error });
      expect((await grace.at(process).cancel(id)).error).toEqual(unknown.error);
      const answers = { name: { action: 'decline' } };
      expect((await grace.at(process).update(id, answers)).error).toEqual(unknown.error);
    }
    expect((await ada.get(id)).result.status).toBe('working');
    await ada.cancel(id);
  });

  it(
    'keep the tasks of principals apart',
    async () => {
      const pids = new Set<unknown>();
      const latest: string[] = [];
      let stolen = 0;
      const clients = Array.from(
        { length: PRINCIPALS },
        (_, i) => new TaskClient(endpoint, `principal-${i}`),
      );
      const isEnough = () => clients.reduce((sum, { sent }) => sum + sent, 0) >= CALLS;
      const running = clients.map(async (client, i) => {
        for (let task = 1; !isEnough(); task++) {
          const word = `word-${i}-${task}`;
          const id = await client.begin('echo', { word });
          latest[i] = id;
          const other = latest[(i + 1) % PRINCIPALS];
          if (task % STOLEN === 0 && other !== undefined) {
            stolen += 1;
            expect((await client.get(other)).error?.message).toBe('Unknown task');
            expect((await client.cancel(other)).error?.message).toBe('Unknown task');
          }
          const said = await client.resultOf(id);
          expect(said).toMatchObject({ word, caller: `principal-${i}` });
          pids.add(said['pid']);
        }
      });
      await Promise.all(running);
      expect(pids).toEqual(new Set([pidOf(0), pidOf(1)]));
      expect(stolen).toBeGreaterThan(0);
    },
    Math.max(300_000, CALLS * 150),
  );
});
