// Needs redis-server.
// Two processes of the built package behind a proxy, on both platforms at once. Their tasks are in a Redis that the test
// starts and ends. What happens when one of the three ends.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, inTurn, orNamed } from '../support/cluster.js';
import { TaskClient } from '../support/task-client.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const APP = fileURLToPath(new URL('../several-processes/tasks.mjs', import.meta.url));

/** Two processes of one platform, with a Redis. */
interface Served {
  readonly cluster: Cluster;
  readonly endpoint: string;
  readonly ada: TaskClient;
  readonly redisPort: number;
  stopRedis: () => Promise<void>;
}

async function serve(platform: string): Promise<Served> {
  const redisPort = await freePort();
  const stopRedis = await startOwnRedis(redisPort);
  const cluster = new Cluster();
  const args = [APP, platform, String(redisPort)];
  const endpoint = await cluster.start(args, orNamed(inTurn()));
  return { cluster, endpoint, ada: new TaskClient(endpoint, 'ada'), redisPort, stopRedis };
}

async function seenAt({ cluster }: Served, process: number): Promise<readonly string[]> {
  const answer = await fetch(cluster.endpointOf(process, '/seen'));
  return ((await answer.json()) as { readonly seen: readonly string[] }).seen;
}

async function release({ cluster }: Served, process: number, word: string): Promise<void> {
  await fetch(cluster.endpointOf(process, `/release/${word}`), { method: 'POST' });
}

describe('processes that share tasks', () => {
  let all: Served[] = [];

  beforeAll(async () => {
    all = await Promise.all(platforms.map(({ name }) => serve(name)));
  });
  afterAll(async () => {
    await Promise.all(
      all.map(async ({ cluster, stopRedis }) => {
        await cluster.stop();
        await stopRedis();
      }),
    );
  });

  it('refuse with 503 while Redis is away, and lose no task that runs', async () => {
    await Promise.all(
      all.map(async (served) => {
        const { ada } = served;
        const [going, ending, asking] = [
          await ada.at(0).begin('work', { word: 'going' }),
          await ada.at(0).begin('work', { word: 'ending' }),
          await ada.at(0).begin('ask'),
        ];
        await ada.at(1).until(asking, ({ status }) => status === 'input_required');
        await served.stopRedis();
        const inputResponses = { name: { action: 'decline' } };
        const requests: [string, Record<string, unknown>][] = [
          ['tasks/get', { taskId: going }],
          ['tasks/cancel', { taskId: going }],
          ['tasks/update', { taskId: asking, inputResponses }],
          ['tools/call', { name: 'work', arguments: { word: 'refused' } }],
        ];
        for (const process of [0, 1]) {
          for (const [method, params] of requests) {
            const { status, headers, error } = await ada.at(process).send(method, params);
            expect([method, status, headers.get('retry-after')]).toEqual([method, 503, '1']);
            expect(error?.message).toBe(
              'Service Unavailable: The task store cannot be reached. Try again',
            );
          }
          expect(await seenAt(served, process)).not.toContain('refused begins');
        }
        await release(served, 0, 'ending');
        await until(async () => (await seenAt(served, 0)).includes('ending ends'));
        served.stopRedis = await startOwnRedis(served.redisPort);
        // This Redis kept nothing. The process that runs the tasks puts them back, and the end of one that ended.
        const other = ada.at(1);
        for (const id of [going, ending, asking]) {
          await until(async () => {
            const { status, result } = await other.get(id);
            expect([200, 503]).toContain(status);
            if (status === 200) expect(result).toMatchObject({ taskId: id });
            return status === 200;
          });
        }
        expect(await other.resultOf(ending)).toMatchObject({ word: 'ending' });
        await other.update(asking, inputResponses);
        await other.until(asking, ({ inputRequests }) => 'name-2' in (inputRequests ?? {}));
        await other.cancel(asking);
        await release(served, 0, 'going');
        expect(await other.resultOf(going)).toMatchObject({ word: 'going' });
        expect((await seenAt(served, 0)).filter((each) => each === 'going begins')).toHaveLength(1);
      }),
    );
  });

  it('cross nothing and run nothing twice while Redis restarts under load', async () => {
    await Promise.all(
      all.map(async (served) => {
        const seen = { good: 0, refused: 0 };
        let isOver = false;
        const clients = Array.from({ length: 4 }, async (_, i) => {
          const me = new TaskClient(served.endpoint, `client-${i}`);
          for (let call = 0; !isOver; call++) {
            const word = `echo-${i}-${call}`;
            const { status, error, result } = await me.send('tools/call', {
              name: 'echo',
              arguments: { word },
            });
            if (result?.resultType !== 'task') {
              expect([status, error?.code]).toEqual([503, -32000]);
              seen.refused += 1;
              continue;
            }
            for (let isDone = false; !isDone;) {
              const polled = await me.get(result.taskId);
              // A task that had ended is lost with this Redis.
              isDone = polled.error?.message === 'Unknown task';
              if (polled.status === 503) seen.refused += 1;
              if (polled.result?.status !== 'completed') continue;
              const said = polled.result.result?.content[0]?.text ?? '';
              expect(JSON.parse(said)).toMatchObject({ word, caller: `client-${i}` });
              seen.good += 1;
              isDone = true;
            }
          }
        });
        const goodAgain = () => {
          const good = seen.good + 5;
          return until(() => seen.good > good);
        };
        for (let restart = 0; restart < 2; restart++) {
          await goodAgain();
          await served.stopRedis();
          const refused = seen.refused + 10;
          await until(() => seen.refused > refused);
          served.stopRedis = await startOwnRedis(served.redisPort);
        }
        await goodAgain();
        isOver = true;
        await Promise.all(clients);
        const seenThere = [...(await seenAt(served, 0)), ...(await seenAt(served, 1))];
        const ran = seenThere.filter((each) => each.startsWith('echo-'));
        expect(ran.length).toBeGreaterThanOrEqual(seen.good);
        expect(ran).toHaveLength(new Set(ran).size);
      }),
    );
  });

  it('say that a task failed whose process was killed', async () => {
    await Promise.all(
      all.map(async (served) => {
        const { cluster, ada } = served;
        const killed = await ada.at(0).begin('work', { word: 'killed' });
        const asked = await ada.at(0).begin('ask');
        await ada.at(1).until(asked, ({ status }) => status === 'input_required');
        await until(async () => (await seenAt(served, 0)).includes('killed begins'));
        await cluster.replace(0);
        // Nothing is lost that a client says meanwhile: the task has ended, or it takes the answer.
        const answers = { name: { action: 'decline' } };
        expect((await ada.update(asked, answers)).error).toBeUndefined();
        for (const id of [killed, asked]) {
          const { error, inputRequests } = await ada.until(id, ({ status }) => status === 'failed');
          expect(error).toEqual({
            code: -32603,
            message: 'The process that ran this task has ended',
          });
          expect(inputRequests).toBeUndefined();
        }
        expect((await ada.cancel(killed)).error).toBeUndefined();
        expect((await ada.get(killed)).result.status).toBe('failed');
      }),
    );
  });

  it('say that a task failed whose process was shut down', async () => {
    await Promise.all(
      all.map(async (served) => {
        const { cluster, ada } = served;
        const id = await ada.at(0).begin('work', { word: 'left' });
        await until(async () => (await seenAt(served, 0)).includes('left begins'));
        cluster.children[0]!.kill('SIGTERM');
        const { error } = await ada.at(1).until(id, ({ status }) => status === 'failed');
        expect(error).toEqual({ code: -32603, message: 'The server was shut down' });
      }),
    );
  });
});
