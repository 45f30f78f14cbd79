// Needs redis-server.
// Two processes of the built package behind a proxy that gives each request to the next of them. Their sessions are
// in a Redis that the test starts and ends. What happens when one of the three ends.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Cluster, inTurn } from '../support/cluster.js';
import { streamed } from '../support/streamed.js';
import { INITIALIZE, wire } from '../support/wire.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const APP = fileURLToPath(new URL('../several-processes/app.mjs', import.meta.url));
const ALICE = { authorization: 'Bearer alice' };

const callOf = (name: string, args: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe.each(platforms)('two processes that share sessions, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  let endpoint: string;
  let redisPort: number;
  let stopRedis: () => Promise<void>;

  beforeAll(async () => {
    redisPort = await freePort();
    stopRedis = await startOwnRedis(redisPort);
    const endpoints = { '/one': { max: 1, reclaimAfterMs: 1, resume: { retryMs: 10 } } };
    const args = [APP, platform, String(redisPort), JSON.stringify(endpoints)];
    endpoint = await cluster.start(args, inTurn());
  });
  beforeEach(async () => {
    if (cluster.children[0]!.killed) await cluster.replace(0);
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
  });

  it('go on when one is killed in the middle of a call', async () => {
    const at = (process: number) => cluster.endpointOf(process, '/one');
    const proxied = endpoint.replace('/_mcp/messages', '/one');
    const session = await wire(proxied).initialize(ALICE);
    const headers = { ...ALICE, 'mcp-session-id': session };
    const resumable = { ...headers, 'mcp-protocol-version': '2025-11-25' };
    const waiting = await streamed(at(0), callOf('wait', {}, 'w'), headers);
    const leaving = await streamed(at(0), callOf('leave', {}, 'l'), resumable);
    await leaving.ended;
    const [begun] = /(?<=^id: ).*$/m.exec(leaving.text()) ?? [];
    const other = wire(at(1));
    expect((await other.post(callOf('pid', {}, 'w'), headers)).status).toBe(400);
    await cluster.kill(0);
    // Its client sees the stream end, with an error or without.
    await waiting.ended;
    expect(waiting.text()).not.toContain('"result"');
    // The session lives on at the other process, and its requests do not count for long.
    expect((await wire(proxied).post(callOf('pid'), headers)).status).toBe(200);
    // Who resumes a stream of the killed process gets an error for an answer.
    const resumed = { ...resumable, 'last-event-id': begun! };
    const last = await streamed(proxied, undefined, resumed);
    await last.ended;
    expect(last.text()).toContain(
      '"id":"l","error":{"code":-32000,"message":"The process that ran this request has ended"}',
    );
    expect((await wire(proxied).post(callOf('pid', {}, 'w'), headers)).status).toBe(200);
    await until(async () => (await wire(proxied).post(INITIALIZE, ALICE)).status === 200);
  });

  it('refuse an answer to a question of a process that was killed', async () => {
    const [asks, answers] = [cluster.endpointOf(0), cluster.endpointOf(1)];
    const { params } = INITIALIZE;
    const capabilities = { elicitation: {} };
    const { headers: opened } = await wire(answers).post(
      { ...INITIALIZE, params: { ...params, capabilities } },
      ALICE,
    );
    const headers = { ...ALICE, 'mcp-session-id': opened.get('mcp-session-id') ?? '' };
    const asking = await streamed(asks, callOf('ask'), headers);
    await until(() => asking.text().includes('elicitation/create'));
    const [, id] = /"id":"([^"]+)"/.exec(asking.text()) ?? [];
    await cluster.kill(0);
    await asking.ended;
    const answer = { jsonrpc: '2.0', id, result: { action: 'decline' } };
    const { status, headers: refused } = await wire(answers).post(answer, headers);
    expect([status, refused.get('retry-after')]).toEqual([503, '1']);
  });

  it('leave sessions open when one is shut down', async () => {
    const session = await wire(cluster.endpointOf(0)).initialize(ALICE);
    const headers = { ...ALICE, 'mcp-session-id': session, accept: 'text/event-stream' };
    const stream = await fetch(cluster.endpointOf(0), { headers });
    const other = wire(cluster.endpointOf(1));
    cluster.children[0]!.kill('SIGTERM');
    // The stream ends, and is free at once for the client that opens it again.
    await stream.text();
    const leave = new AbortController();
    await until(async () => {
      const again = await fetch(other.url, { headers, signal: leave.signal });
      return again.status === 200;
    });
    leave.abort();
    const alice = { ...ALICE, 'mcp-session-id': session };
    expect((await other.post(callOf('pid'), alice)).status).toBe(200);
  });

  it('refuse with 503 while Redis is away, and recover without a restart', async () => {
    const first = await wire(endpoint).initialize(ALICE);
    const of = (session: string) => ({ ...ALICE, 'mcp-session-id': session });
    await stopRedis();
    for (const message of [callOf('pid'), INITIALIZE]) {
      for (const process of [0, 1]) {
        const {
          status,
          headers,
          message: answer,
        } = await wire(cluster.endpointOf(process)).post(message, of(first));
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
        expect(answer.error?.message).toBe(
          'Service Unavailable: The session store cannot be reached. Try again',
        );
      }
    }
    stopRedis = await startOwnRedis(redisPort);
    // This Redis keeps nothing: the session is gone, and a new one works at once.
    let session = '';
    await until(async () => {
      const { status, headers } = await wire(endpoint).post(INITIALIZE, ALICE);
      session = headers.get('mcp-session-id') ?? '';
      return status === 200;
    });
    for (const process of [0, 1]) {
      await until(async () => {
        const { status } = await wire(cluster.endpointOf(process)).post(callOf('pid'), of(session));
        return status === 200;
      });
      const { status } = await wire(cluster.endpointOf(process)).post(callOf('pid'), of(first));
      expect(status).toBe(404);
    }
  });

  it('answer no call twice or to another client while Redis restarts under load', async () => {
    const seen = { good: 0, refused: 0 };
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, i) => {
      const me = `client-${i}`;
      const owner = { authorization: `Bearer ${me}` };
      let session: string | undefined;
      for (let call = 0; !isOver; call++) {
        if (session === undefined) {
          const { headers } = await wire(endpoint).post(INITIALIZE, owner);
          session = headers.get('mcp-session-id') ?? undefined;
          if (session === undefined) seen.refused += 1;
          continue;
        }
        const word = `${me}-${call}`;
        const headers = { ...owner, 'mcp-session-id': session };
        const { status, text } = await wire(endpoint).post(callOf('echo', { word }, call), headers);
        if (status === 200 && !text.includes('"error"')) {
          seen.good += 1;
          expect(text.split('"result"')).toHaveLength(2);
          expect(text).toContain(`\\"word\\":\\"${word}\\",\\"caller\\":\\"${me}\\"`);
        } else {
          seen.refused += 1;
          // In the store no more, or the store away; or ended while the call ran.
          expect([200, 404, 503]).toContain(status);
          session = undefined;
        }
      }
    });
    for (let restart = 0; restart < 2; restart++) {
      const good = seen.good + 50;
      await until(() => seen.good > good);
      await stopRedis();
      const refused = seen.refused + 20;
      await until(() => seen.refused > refused);
      stopRedis = await startOwnRedis(redisPort);
    }
    const good = seen.good + 50;
    await until(() => seen.good > good);
    isOver = true;
    await Promise.all(clients);
  });
});
