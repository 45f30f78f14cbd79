// Needs redis-server.
// Two processes of the built package behind a proxy that gives each request to the next of them. Their sessions are
// in a Redis that the test starts and ends.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { textOf } from '../support/clients.js';
import { Cluster, inTurn } from '../support/cluster.js';
import { type ClientBehaviour, connectEra, type EraClient } from '../support/eras.js';
import { streamed } from '../support/streamed.js';
import { INITIALIZE, wire } from '../support/wire.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const APP = fileURLToPath(new URL('../several-processes/app.mjs', import.meta.url));
const ALICE = { authorization: 'Bearer alice' };

const dataOf = (result: CallToolResult) =>
  JSON.parse(textOf(result)) as {
    pid: number;
    caller?: string;
    word?: string;
    said?: string;
    answers?: unknown[];
    aborted?: boolean;
  };

const callOf = (name: string, args: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const ENDPOINTS = {
  '/few': { max: 3, reclaimAfterMs: 600_000 },
  '/resume': { max: 100, resume: { retryMs: 10 } },
  '/short': { max: 1, idleTimeoutMs: 3_000 },
};

describe.each(platforms)('two processes that share sessions, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  const clients: EraClient[] = [];
  let endpoint: string;
  let stopRedis: () => Promise<void>;

  beforeAll(async () => {
    const port = await freePort();
    stopRedis = await startOwnRedis(port);
    const args = [APP, platform, String(port), JSON.stringify(ENDPOINTS)];
    endpoint = await cluster.start(args, inTurn());
  });
  afterEach(async () => {
    for (const { client } of clients.splice(0)) await client.close().catch(() => undefined);
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
  });

  async function connect(behaviour: ClientBehaviour = {}): Promise<EraClient> {
    const client = await connectEra('2025-11-25', endpoint, { headers: ALICE, ...behaviour });
    clients.push(client);
    return client;
  }

  const pids = () => new Set(cluster.children.map(({ pid }) => pid));

  it('serve each session from any of them, with questions, progress and logs', async () => {
    const client = await connect({
      elicit: ({ message }) => ({ action: 'accept', content: { ok: message === 'Sure?' } }),
    });
    const seen = new Set<unknown>();
    const asked = new Set<unknown>();
    // Requests, the answers to questions and the one stream take their turns: ever other pairs of processes.
    for (let i = 0; i < 6; i++) {
      seen.add(dataOf(await client.call('echo', { word: 'a' })).pid);
      const { pid, answers } = dataOf(await client.call('ask'));
      expect(answers).toEqual([true, false]);
      asked.add(pid);
      await client.client.ping();
    }
    expect(seen).toEqual(pids());
    expect(asked).toEqual(pids());

    const progress: unknown[] = [];
    await client.call('report', {}, { onprogress: (each) => progress.push(each) });
    expect(progress).toEqual([{ progress: 1, total: 2 }]);
    const levels = client.logs.map(({ level }) => level);
    expect(levels.slice(-3)).toEqual(['debug', 'warning', 'error']);
  });

  it('serve the official 2.x client in its default mode', async () => {
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const requestInit = { headers: ALICE };
    const transport = new StreamableHTTPClientTransport(new URL(endpoint), { requestInit });
    await client.connect(transport);
    expect(transport.sessionId).toEqual(expect.any(String));
    const seen = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      const result = await client.callTool({ name: 'ask', arguments: {} });
      seen.add(dataOf(result as CallToolResult).pid);
      await client.ping();
      if (i % 2 === 0) await client.ping();
    }
    expect(seen).toEqual(pids());
    await transport.terminateSession();
    await client.close();
  });

  it('pass the answer of the model of a client to the process that asked, wherever it arrives', async () => {
    const { params } = INITIALIZE;
    const opening = { ...INITIALIZE, params: { ...params, capabilities: { sampling: {} } } };
    const { headers: opened } = await wire(endpoint).post(opening, ALICE);
    const headers = { ...ALICE, 'mcp-session-id': opened.get('mcp-session-id') ?? '' };
    for (const [asks, answers] of [
      [0, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      const asking = await streamed(cluster.endpointOf(asks), callOf('sample'), headers);
      await until(() => asking.text().includes('"sampling/createMessage"'));
      expect(asking.text()).toContain('Which word?');
      const [, id] = /"id":"([^"]+)"/.exec(asking.text()) ?? [];
      const answerOf = (text: string) => {
        const content = { type: 'text', text };
        return { jsonrpc: '2.0', id, result: { role: 'assistant', content, model: 'spec' } };
      };
      const other = wire(cluster.endpointOf(answers));
      // Another principal, and another session, answer nothing.
      const bob = { ...headers, authorization: 'Bearer bob' };
      expect((await other.post(answerOf('bob'), bob)).status).toBe(404);
      const { headers: second } = await other.post(opening, ALICE);
      const elsewhere = { ...ALICE, 'mcp-session-id': second.get('mcp-session-id') ?? '' };
      expect((await other.post(answerOf('elsewhere'), elsewhere)).status).toBe(202);
      const word = `word-${asks}-${answers}`;
      expect((await other.post(answerOf(word), headers)).status).toBe(202);
      await asking.ended;
      const pid = cluster.children[asks]!.pid!;
      expect(asking.text()).toContain(`{\\"pid\\":${pid},\\"said\\":\\"${word}\\"}`);
    }
  });

  it('serve sampling to the official client, whose answers take their turns too', async () => {
    const client = await connect({
      sample: () => ({
        role: 'assistant',
        content: { type: 'text', text: 'yes' },
        model: 'spec',
      }),
    });
    const asked = new Set<unknown>();
    for (let i = 0; i < 6; i++) {
      const { pid, said } = dataOf(await client.call('sample'));
      expect(said).toBe('yes');
      asked.add(pid);
      if (i % 2 === 0) await client.client.ping();
    }
    expect(asked).toEqual(pids());
  });

  it('take a log level over, also for a running call', async () => {
    const client = await connect();
    await client.client.setLoggingLevel('error');
    for (let i = 0; i < 4; i++) await client.call('report');
    expect(new Set(client.logs.map(({ level }) => level))).toEqual(new Set(['error']));

    const leave = new AbortController();
    const waiting = client.call('wait', {}, { signal: leave.signal });
    const ended = expect(waiting).rejects.toThrow();
    const count = () => client.logs.length;
    const before = count();
    await until(() => count() > before);
    await client.client.setLoggingLevel('emergency');
    // Messages that are on their way arrive before the answers.
    await until(async () => {
      const last = count();
      for (let i = 0; i < 20; i += 1) await client.client.ping();
      return count() === last;
    });
    leave.abort();
    await ended;
  });

  it('end a running call when its client cancels it at the other process', async () => {
    const session = await wire(endpoint).initialize(ALICE);
    const headers = { ...ALICE, 'mcp-session-id': session };
    for (const [runs, cancels] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const requestId = `w${runs}`;
      const answer = await streamed(
        cluster.endpointOf(runs),
        callOf('wait', {}, requestId),
        headers,
      );
      expect(answer.status).toBe(200);
      const other = wire(cluster.endpointOf(cancels));
      const again = await other.post(callOf('pid', {}, requestId), headers);
      expect([again.status, again.message.error?.code]).toEqual([400, -32600]);
      const params = { requestId };
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      expect((await other.post(cancel, headers)).status).toBe(202);
      await answer.ended;
      // A cancelled request gets no answer.
      expect(answer.text()).not.toMatch(/"result"|"error":/);
    }
  });

  it('notify the stream of a session of a resource that changed at either of them', async () => {
    const client = await connect();
    await client.client.subscribeResource({ uri: 'notes://a' });
    const changed = new Set<unknown>();
    for (let i = 0; i < 4; i++) {
      const before = client.updates.length;
      // The client opens its stream in the background: what comes before is missed.
      await until(async () => {
        changed.add(dataOf(await client.call('change', { id: 'a' })).pid);
        await client.call('change', { id: 'b' });
        await client.client.ping();
        return client.updates.length > before;
      });
    }
    expect(changed).toEqual(pids());
    expect(new Set(client.updates)).toEqual(new Set(['notes://a']));
    await client.client.unsubscribeResource({ uri: 'notes://a' });
    const count = client.updates.length;
    for (let i = 0; i < 4; i++) await client.call('change', { id: 'a' });
    expect(client.updates.length).toBe(count);
  });

  it('give the stream of a session to the latest connection, wherever it is', async () => {
    const session = await wire(endpoint).initialize(ALICE);
    const headers = { ...ALICE, 'mcp-session-id': session, accept: 'text/event-stream' };
    const leave = new AbortController();
    const open = (process: number) =>
      fetch(cluster.endpointOf(process), { headers, signal: leave.signal });
    let latest = await open(0);
    for (const process of [1, 1, 0]) {
      const next = await open(process);
      expect(next.status).toBe(200);
      await latest.text();
      latest = next;
    }
    leave.abort();
  });

  it('bind a session to its principal, and end it everywhere', async () => {
    const session = await wire(endpoint).initialize(ALICE);
    const status = async (headers: Record<string, string>, process: number) =>
      (await wire(cluster.endpointOf(process)).post(callOf('pid'), headers)).status;
    const alice = { ...ALICE, 'mcp-session-id': session };
    const bob = { authorization: 'Bearer bob', 'mcp-session-id': session };
    for (const process of [0, 1]) {
      expect(await status(alice, process)).toBe(200);
      expect(await status(bob, process)).toBe(404);
      const { status: deleted } = await wire(cluster.endpointOf(process)).send('DELETE', bob);
      expect(deleted).toBe(404);
    }
    const waiting = await streamed(cluster.endpointOf(0), callOf('wait', {}, 'w'), alice);
    expect((await wire(cluster.endpointOf(1)).send('DELETE', alice)).status).toBe(200);
    await waiting.ended;
    expect(waiting.text()).toContain('"message":"The session has ended"');
    for (const process of [0, 1]) expect(await status(alice, process)).toBe(404);
  });

  it('resume at one the stream of a call that runs at the other', async () => {
    const at = (process: number) => cluster.endpointOf(process, '/resume');
    for (const [runs, resumes] of [
      [0, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      const session = await wire(at(resumes)).initialize(ALICE);
      const headers = {
        ...ALICE,
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
      };
      const first = await streamed(at(runs), callOf('leave'), headers);
      await first.ended;
      const [begun] = /(?<=^id: ).*$/m.exec(first.text()) ?? [];
      const resumed = { ...headers, 'last-event-id': begun! };
      const second = await streamed(at(resumes), undefined, resumed);
      await until(() => second.text().includes('"closed":true'));
      // A third connection at the other process takes the stream over.
      const third = await streamed(at(1 - resumes), undefined, resumed);
      await second.ended;
      await until(() => third.text().includes('"closed":true'));
      await wire(at(runs)).post(callOf('release', {}, 2), headers);
      await third.ended;
      const pid = cluster.children[runs]!.pid!;
      expect(third.text()).toContain(`{\\"pid\\":${pid}}`);
      expect(second.text()).not.toContain('"result"');
      // The id is of no use in another session.
      const other = { ...resumed, 'mcp-session-id': await wire(at(0)).initialize(ALICE) };
      expect((await streamed(at(0), undefined, other)).status).toBe(400);
    }
  });

  it('resume at one the stream of a session that the other had', async () => {
    const at = (process: number) => cluster.endpointOf(process, '/resume');
    const session = await wire(at(0)).initialize(ALICE);
    const headers = {
      ...ALICE,
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    };
    const params = { uri: 'notes://a' };
    await wire(at(1)).post({ ...callOf(''), method: 'resources/subscribe', params }, headers);
    const first = await streamed(at(0), undefined, headers);
    await until(() => first.text().includes('id: '));
    const change = callOf('change', { id: 'a' }, 2);
    await wire(at(1)).post(change, headers);
    await until(() => first.text().includes('notes://a'));
    first.leave();
    await first.ended;
    await wire(at(1)).post(change, headers);
    const last = [...first.text().matchAll(/^id: (.*)$/gm)].at(-1)![1]!;
    const second = await streamed(at(1), undefined, { ...headers, 'last-event-id': last });
    await until(() => second.text().includes('notes://a'));
    await wire(at(0)).post(change, headers);
    await until(() => second.text().split('notes://a').length === 3);
    second.leave();
  });

  it('count sessions together, those of each endpoint apart', async () => {
    const few = endpoint.replace('/_mcp/messages', '/few');
    const attempts = await Promise.all(
      Array.from({ length: 12 }, () => wire(few).post(INITIALIZE, ALICE)),
    );
    const open = attempts.filter(({ status }) => status === 200);
    expect(open).toHaveLength(3);
    for (const { status, message, headers } of attempts) {
      if (status === 200) continue;
      expect([status, message.error?.code]).toEqual([400, -32600]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
    }
    // An initialize with the id of a session of the same caller replaces it.
    const [first] = open.map(({ headers }) => headers.get('mcp-session-id') ?? '');
    const alice = { ...ALICE, 'mcp-session-id': first! };
    const again = await wire(few).initialize(alice);
    expect((await wire(few).post(callOf('pid'), alice)).status).toBe(404);
    const { status } = await wire(few).post(callOf('pid'), {
      ...ALICE,
      'mcp-session-id': again,
    });
    expect(status).toBe(200);
    // The id is of no use at another endpoint.
    const elsewhere = await wire(endpoint).post(callOf('pid'), {
      ...ALICE,
      'mcp-session-id': again,
    });
    expect(elsewhere.status).toBe(404);
  });

  it('end a session after its idle time-out, and give its place to another', async () => {
    const short = endpoint.replace('/_mcp/messages', '/short');
    const session = await wire(short).initialize(ALICE);
    const headers = { ...ALICE, 'mcp-session-id': session };
    expect((await wire(short).post(callOf('pid'), headers)).status).toBe(200);
    await until(async () => (await wire(short).post(INITIALIZE, ALICE)).status === 200);
    expect((await wire(short).post(callOf('pid'), headers)).status).toBe(404);
  });
});
