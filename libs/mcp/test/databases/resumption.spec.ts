// Needs redis-server.
// Event streams of sessions in Redis, resumed at another instance of the application. With processes of the built
// package: several-processes.spec.ts.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { Redis } from 'ioredis';
import {
  type McpCall,
  McpCallInfo,
  type McpSessionStore,
  type McpSharedSessions,
  McpTool,
} from '../../src/index.js';
import type { ProcessActivity } from '../../src/redis/process-activity.js';
import { redisSessions } from '../../src/redis/index.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { controllers, type RunningApp, startApp } from '../support/app.js';
import { streamed } from '../support/streamed.js';

const releases: (() => void)[] = [];

@Controller()
class StreamsController {
  /** Logs, leaves, logs, and answers when it is released. */
  @Post('leave')
  @McpTool({ name: 'leave', description: 'Closes its stream' })
  async leave(@McpCallInfo() call: McpCall) {
    call.log('info', 'before');
    call.closeStream();
    call.log('info', 'behind');
    await new Promise<void>((resolve) => releases.push(resolve));
    return 'done';
  }
}

const LEAVE = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'leave' } };

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);

describe.each(platforms)('on $name', ({ adapter }) => {
  let stopRedis: () => Promise<void>;
  let client: Redis;
  let apps: RunningApp[] = [];

  beforeAll(async () => {
    const port = await freePort();
    stopRedis = await startOwnRedis(port);
    client = new Redis(port);
  });
  afterEach(async () => {
    for (const release of releases.splice(0)) release();
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(async () => {
    await client.quit();
    await stopRedis();
  });

  const start = () =>
    startApp(adapter(), {
      ...controllers(StreamsController),
      mcp: { sessions: { max: 10, resume: { retryMs: 10 }, store: redisSessions({ client }) } },
    });

  it('a stream that was refused leaves nothing in the memory of the process', async () => {
    const kept: McpSharedSessions[] = [];
    const real = redisSessions({ client, prefix: 'memory' });
    const store: McpSessionStore = {
      async connect(endpoint) {
        const sessions = await real.connect(endpoint);
        kept.push(sessions);
        return sessions;
      },
    };
    const app = await startApp(adapter(), {
      ...controllers(StreamsController),
      mcp: { sessions: { max: 10, resume: true, store } },
    });
    apps.push(app);
    const session = await app.wire.initialize();
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const { status, ended } = await streamed(app.endpoint, undefined, {
      ...headers,
      'last-event-id': `${mainOf(session)}.99`,
    });
    await ended;
    expect(status).toBe(400);
    expect((await app.wire.send('DELETE', headers)).status).toBe(200);
    const { here } = kept[0] as unknown as {
      readonly here: { readonly activity: ProcessActivity };
    };
    await until(() => here.activity.toJson() === '{}');
  });

  it('an event that was never sent is refused, of a stream that runs or is over', async () => {
    const [one, other] = (apps = [await start(), await start()]);
    const headers = {
      'mcp-session-id': await one!.wire.initialize(),
      'mcp-protocol-version': '2025-11-25',
    };
    const resume = (id: string, { endpoint } = other!) =>
      streamed(endpoint, undefined, { ...headers, 'last-event-id': id });
    const listening = await streamed(one!.endpoint, undefined, headers);
    let isOver = false;
    void listening.ended.then(() => (isOver = true));
    const first = await streamed(one!.endpoint, LEAVE, headers);
    await first.ended;
    const [begun] = idsIn(first.text());
    const stream = begun!.split('.')[0]!;
    const main = mainOf(headers['mcp-session-id']);

    for (const app of [one!, other!]) {
      for (const id of [`${stream}.3`, `${stream}.999999999999`, `${main}.1`, `${main}.7`]) {
        const { status, text, ended } = await resume(id, app);
        await ended;
        expect([id, status, text()]).toEqual([
          id,
          400,
          expect.stringContaining('Unknown Last-Event-ID'),
        ]);
      }
    }
    const rest = await resume(begun!);
    releases[0]?.();
    await rest.ended;
    expect(rest.text()).toContain('"text":"done"');
    for (const id of [`${stream}.4`, `${stream}.7`]) expect((await resume(id)).status).toBe(400);
    const nothing = await resume(`${stream}.3`);
    await nothing.ended;
    expect([nothing.status, idsIn(nothing.text())]).toEqual([200, []]);
    // The stream that belongs to no request is still the one of its client.
    expect(isOver).toBe(false);
    // Until it opens another.
    const latest = await streamed(other!.endpoint, undefined, headers);
    await listening.ended;
    expect(latest.status).toBe(200);
    latest.leave();
  });
});

function mainOf(session: string): string {
  return createHash('sha1').update(session).digest('hex').slice(0, 16);
}
