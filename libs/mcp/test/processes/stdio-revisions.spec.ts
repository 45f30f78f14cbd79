// Messages of both kinds on one pipe: of a session, and of 2026-07-28, which needs none. The transport does not depend on
// the platform.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observe, type Observed } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { initializing } from '../recorded/exchanges.js';
import { call, type Members, request } from '../recorded/messages.js';

const APP = fileURLToPath(new URL('../recorded/stdio.mjs', import.meta.url));
const [OLD, NEW] = ['2025-11-25', '2026-07-28'] as const;

describe('two protocol versions over stdio', () => {
  let child: ChildProcessWithoutNullStreams;
  let observed: Observed;
  const received: Members[] = [];
  let lastId = 100;
  let beforeSession: Members | undefined;
  let opened: Members | undefined;

  beforeAll(async () => {
    child = spawn(process.execPath, [APP, 'express']);
    observed = observe(child);
    createInterface(child.stdout).on('line', (line) => received.push(JSON.parse(line) as Members));
    beforeSession = await ask(get(NEW));
    opened = await ask(initializing({}));
  });
  afterAll(async () => {
    child.kill();
    await observed.end();
  });

  const get = (revision: typeof OLD | typeof NEW) => call(revision, 'get', { id: 'a' });
  const answerTo = (id: number) => received.find((each) => each['id'] === id);
  const notesOf = (method: string) => received.filter((each) => each['method'] === method);
  const write = (message: Members) => child.stdin.write(`${JSON.stringify(message)}\n`);

  async function ask(message: Members): Promise<Members | undefined> {
    const id = ++lastId;
    write({ ...message, id });
    await until(() => answerTo(id) !== undefined, observed.output);
    return answerTo(id);
  }

  it('are served in turns', async () => {
    expect(beforeSession).toMatchObject({ result: { resultType: 'complete' } });
    expect(opened).toMatchObject({ result: { protocolVersion: OLD } });
    const inSession = await ask(get(OLD));
    expect(inSession).toMatchObject({ result: { isError: false } });
    expect(inSession?.['result']).not.toHaveProperty('resultType');
    expect(await ask(get(NEW))).toMatchObject({ result: { resultType: 'complete' } });
    expect(await ask(request(NEW, 'server/discover'))).toMatchObject({
      result: { supportedVersions: [NEW] },
    });
  });

  it('arguments are not repeated as headers, because there are none', async () => {
    for (const revision of [OLD, NEW] as const) {
      const found = await ask(call(revision, 'find', { region: 'eu', limit: 7 }));
      expect(found).toMatchObject({ result: { isError: false } });
    }
  });

  it('a request whose id is in use is refused', async () => {
    const held = { ...call(OLD, 'hold'), id: 1 };
    write(held);
    write(held);
    await until(() => answerTo(1) !== undefined, observed.output);
    expect(answerTo(1)).toMatchObject({ error: { code: -32600 } });
    await ask(call(OLD, 'settle'));
  });

  it('a request that is cancelled gets no answer, and its id is free again', async () => {
    for (const revision of [OLD, NEW] as const) {
      const cancelled = { method: 'notifications/cancelled', params: { requestId: 7 } };
      write({ ...call(revision, 'hold'), id: 7 });
      write({ jsonrpc: '2.0', ...cancelled });
      expect(await ask(call(revision, 'settle'))).toHaveProperty('result');
      expect(answerTo(7)).toBeUndefined();
    }
  });

  // Last, because it ends stdin.
  it('both tell subscribers that a resource changed', async () => {
    await ask(request(OLD, 'resources/subscribe', { uri: 'things://a' }));
    const notifications = { resourceSubscriptions: ['things://a'] };
    write({ ...request(NEW, 'subscriptions/listen', { notifications }), id: 3 });
    const acknowledged = 'notifications/subscriptions/acknowledged';
    await until(() => notesOf(acknowledged).length === 1, observed.output);
    await ask(call(OLD, 'touch'));
    const updated = 'notifications/resources/updated';
    await until(() => notesOf(updated).length === 2, observed.output);
    const params = notesOf(updated).map((note) => note['params']);
    expect(params).toContainEqual({ uri: 'things://a' });
    expect(params).toContainEqual({
      uri: 'things://a',
      _meta: { 'io.modelcontextprotocol/subscriptionId': 3 },
    });
    await ask(request(OLD, 'resources/unsubscribe', { uri: 'things://a' }));
    await ask(call(OLD, 'touch'));
    expect(notesOf(updated)).toHaveLength(3);
    // The end of stdin ends what the client listens to.
    child.stdin.end();
    await until(() => answerTo(3) !== undefined, observed.output);
  });
});
