// Needs redis-server.
// What a shutdown and a failed startup do with the stores in Redis.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { Redis } from 'ioredis';
import { McpTool } from '../../src/index.js';
import { redisSessions, redisTasks, redisWrites } from '../../src/redis/index.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { controllers, type RunningApp, startApp } from '../support/app.js';
import { textOf } from '../support/clients.js';
import { connectEra, eras } from '../support/eras.js';
import { INITIALIZE } from '../support/wire.js';

let release: (() => void) | undefined;
let runs = 0;

@Controller()
class PaymentsController {
  @Post('pay')
  @McpTool({ name: 'pay', description: 'Pays when released', idempotency: true, task: true })
  async pay() {
    runs += 1;
    await new Promise<void>((resolve) => (release = resolve));
    return { paid: runs };
  }
}

let stopRedis: () => Promise<void>;
let client: Redis;
const apps: RunningApp[] = [];

beforeAll(async () => {
  const port = await freePort();
  stopRedis = await startOwnRedis(port);
  client = new Redis(port, { connectionName: 'mcp' });
});
beforeEach(() => {
  release = undefined;
  runs = 0;
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});
afterAll(async () => {
  await client.quit();
  await stopRedis();
});

describe.each(platforms)('on $name', ({ name, adapter }) => {
  async function start(mcp: Parameters<typeof startApp>[1]['mcp'] = {}): Promise<RunningApp> {
    const prefix = `${name}${mcp.sessions ? '' : expect.getState().currentTestName}`;
    const app = await startApp(adapter(), {
      ...controllers(PaymentsController),
      app: { forceCloseConnections: true },
      mcp: { writes: { store: redisWrites({ client, prefix }) }, ...mcp },
    });
    apps.push(app);
    return app;
  }

  const isClosing = (app: RunningApp) => async () =>
    (await app.wire.post(INITIALIZE)).status === 503;

  describe.each(eras)('a call with a key, of a client of %s', (era) => {
    it.each(['waits', 'leaves'])(
      'is stored if the server closes and the client %s',
      async (how) => {
        const [first, second] = [await start(), await start()];
        const leaving = new AbortController();
        const idempotencyKey = how;
        const { call, client: caller } = await connectEra(era, first.endpoint);
        const { signal } = leaving;
        const called = call('pay', { idempotencyKey }, { signal }).catch(() => undefined);
        await until(() => release !== undefined);
        if (how === 'leaves') {
          leaving.abort();
          await called;
        }
        const closed = first.app.close();
        await until(isClosing(first));
        release?.();
        await Promise.all([called, closed]);
        await caller.close();
        const other = await connectEra(era, second.endpoint);
        const repeated = await other.call('pay', { idempotencyKey });
        expect([textOf(repeated), runs]).toEqual(['{"paid":1}', 1]);
        await other.close();
      },
    );
  });

  it('a stream that a client opens during the shutdown is refused', async () => {
    const sessions = { max: 10, store: redisSessions({ client, prefix: `${name}s` }) };
    let admit: (() => void) | undefined;
    let isSlow = false;
    const auth = {
      type: 'bearer' as const,
      validate: async () => {
        if (isSlow) await new Promise<void>((resolve) => (admit = resolve));
        return { id: 'ada' };
      },
    };
    const [first, second] = [await start({ sessions, auth }), await start({ sessions, auth })];
    const headers = { authorization: 'Bearer a' };
    const session = { ...headers, 'mcp-session-id': await first.wire.initialize(headers) };
    const running = { ...headers, 'mcp-session-id': await second.wire.initialize(headers) };
    const params = { name: 'pay', arguments: {} };
    const called = second.wire.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      running,
    );
    await until(() => release !== undefined);
    isSlow = true;
    const got = second.wire.send('GET', { ...session, accept: 'text/event-stream' });
    await until(() => admit !== undefined);
    const closed = second.app.close();
    await until(isClosing(second));
    admit?.();
    expect((await got).message.error?.message).toBe('The server is shutting down');
    release?.();
    await Promise.all([called, closed]);
  });

  it('connections are closed if the startup fails', async () => {
    const store = redisTasks({ client, prefix: 'failing' });
    const failing = start({
      tasks: { store },
      visible: () => true,
      endpoints: [{ path: '/a' }, { path: '/b', cache: { cacheScope: 'public' } }],
    });
    await expect(failing).rejects.toThrow('cacheScope');
    await until(async () => {
      const connections = String(await client.client('LIST')).split('\n');
      return connections.filter((each) => each.includes(' name=mcp ')).length === 1;
    });
  });
});
