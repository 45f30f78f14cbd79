// Messages of both kinds on one pipe: of a session, and of 2026-07-28, which needs none.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { observe, type Observed } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { initializing } from '../recorded/exchanges.js';
import { call, type Members, request } from '../recorded/messages.js';

const APP = fileURLToPath(new URL('../recorded/stdio.mjs', import.meta.url));
const [OLD, NEW] = ['2025-11-25', '2026-07-28'] as const;

describe.each(['express', 'fastify'])('two protocol versions over stdio on %s', (platform) => {
  let child: ChildProcessWithoutNullStreams;
  let observed: Observed;
  let received: Members[];

  beforeEach(() => {
    child = spawn(process.execPath, [APP, platform]);
    observed = observe(child);
    received = [];
    createInterface(child.stdout).on('line', (line) => received.push(JSON.parse(line) as Members));
  });
  afterEach(async () => {
    child.kill();
    await observed.end();
  });

  const answerTo = (id: number) => received.find((each) => each['id'] === id);
  const notesOf = (method: string) => received.filter((each) => each['method'] === method);
  const write = (message: Members) => child.stdin.write(`${JSON.stringify(message)}\n`);

  async function ask(id: number, message: Members): Promise<Members | undefined> {
    write({ ...message, id });
    await until(() => answerTo(id) !== undefined, observed.output);
    return answerTo(id);
  }

  it('are served in turns', async () => {
    const get = (revision: typeof OLD | typeof NEW) => call(revision, 'get', { id: 'a' });
    expect(await ask(1, get(NEW))).toMatchObject({ result: { resultType: 'complete' } });
    expect(await ask(2, initializing({}))).toMatchObject({ result: { protocolVersion: OLD } });
    expect(await ask(3, get(OLD))).toMatchObject({ result: { isError: false } });
    expect(answerTo(3)?.['result']).not.toHaveProperty('resultType');
    expect(await ask(4, get(NEW))).toMatchObject({ result: { resultType: 'complete' } });
    expect(await ask(5, request(NEW, 'server/discover'))).toMatchObject({
      result: { supportedVersions: [NEW] },
    });
  });

  it('both tell subscribers that a resource changed', async () => {
    await ask(1, initializing({}));
    await ask(2, request(OLD, 'resources/subscribe', { uri: 'things://a' }));
    const notifications = { resourceSubscriptions: ['things://a'] };
    write({ ...request(NEW, 'subscriptions/listen', { notifications }), id: 3 });
    await ask(4, call(OLD, 'touch'));
    const updated = 'notifications/resources/updated';
    await until(() => notesOf(updated).length === 2, observed.output);
    const params = notesOf(updated).map((note) => note['params']);
    expect(params).toContainEqual({ uri: 'things://a' });
    expect(params).toContainEqual({
      uri: 'things://a',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 3 },
    });
    await ask(5, request(OLD, 'resources/unsubscribe', { uri: 'things://a' }));
    await ask(6, call(OLD, 'touch'));
    expect(notesOf(updated)).toHaveLength(3);
    // The end of stdin ends what the client listens to.
    child.stdin.end();
    await until(() => answerTo(3) !== undefined, observed.output);
  });

  it('a request whose id is in use is refused', async () => {
    const held = { ...call(OLD, 'hold'), id: 1 };
    write(held);
    write(held);
    await until(() => answerTo(1) !== undefined, observed.output);
    expect(answerTo(1)).toMatchObject({ error: { code: -32600 } });
  });

  it('a request that is cancelled gets no answer, and its id is free again', async () => {
    for (const revision of [OLD, NEW] as const) {
      const cancelled = { method: 'notifications/cancelled', params: { requestId: 7 } };
      write({ ...call(revision, 'hold'), id: 7 });
      write({ jsonrpc: '2.0', ...cancelled });
      const id = received.length + 100;
      expect(await ask(id, call(revision, 'settle'))).toHaveProperty('result');
      expect(answerTo(7)).toBeUndefined();
    }
  });
});
