// Event streams of 2025-11-25 that break, or are closed on purpose, and are resumed.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param, Post } from '@nestjs/common';
import { McpCallInfo } from '../src/serve/call/mcp-call-info.decorator.js';
import type { McpCall } from '../src/serve/call/mcp-call.js';
import { McpResource } from '../src/publish/decorators/mcp-resource.decorator.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import type { McpSessionOptions } from '../src/options/session-options.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra } from './support/eras.js';
import { streamed } from './support/streamed.js';
import { INITIALIZE, wire } from './support/wire.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

let releases: (() => void)[] = [];
let closed: boolean[] = [];
let aborted = 0;

@Controller()
class StreamsController {
  /** Logs, leaves, logs, and answers when it is released. */
  @Post('leave')
  @McpTool({ name: 'leave', description: 'Closes its stream' })
  async leave(@McpCallInfo() call: McpCall) {
    call.log('info', 'before');
    closed.push(call.closeStream());
    call.log('info', 'behind');
    await new Promise<void>((resolve) => releases.push(resolve));
    return 'done';
  }

  @Post('slow')
  @McpTool({ name: 'slow', description: 'Answers when it is released' })
  async slow(@McpCallInfo() call: McpCall) {
    call.signal?.addEventListener('abort', () => aborted++);
    call.log('info', 'running');
    await new Promise<void>((resolve) => releases.push(resolve));
    return 'done';
  }

  @Post('many/:count')
  @McpTool({ name: 'many', description: 'Logs much' })
  many(@Param('count') count: number, @McpCallInfo() call: McpCall) {
    call.closeStream();
    for (let i = 1; i <= Number(count); i++) call.log('info', `line-${i}-`);
    return 'done';
  }

  @Post('large')
  @McpTool({ name: 'large', description: 'Answers at length' })
  large(@McpCallInfo() call: McpCall) {
    call.closeStream();
    return 'x'.repeat(20_000);
  }

  @Post('ask')
  @McpTool({ name: 'ask', description: 'Asks after it closed its stream' })
  async ask(@McpCallInfo() call: McpCall) {
    call.closeStream();
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
    const answer = await call.elicit({ message: 'Sure?', schema });
    return answer.action;
  }

  @Get('notes/:id')
  @McpResource({ uri: 'notes://{id}' })
  note(@Param('id') id: string) {
    return { id };
  }
}

const call = (name: string, args: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);

describe.each(platforms)('event streams on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(async () => {
    for (const release of releases.splice(0)) release();
    await running.close();
  });

  async function start(resume: McpSessionOptions['resume'] = { retryMs: 10 }): Promise<void> {
    releases = [];
    closed = [];
    aborted = 0;
    const mcp = { sessions: { max: 10, resume: resume ?? false } };
    running = await startApp(adapter(), { ...controllers(StreamsController), mcp });
  }

  async function open(version = '2025-11-25'): Promise<Record<string, string>> {
    const { params } = INITIALIZE;
    const { headers } = await running.wire.post({
      ...INITIALIZE,
      params: { ...params, protocolVersion: version },
    });
    return {
      'mcp-session-id': headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': version,
    };
  }

  const post = (message: object, headers: Record<string, string>) =>
    streamed(running.endpoint, message, headers);
  const resume = (id: string, headers: Record<string, string>) =>
    streamed(running.endpoint, undefined, { ...headers, 'last-event-id': id });

  it('begin with an id and the time to wait, and continue behind it when the route closes them', async () => {
    await start();
    const session = await open();
    const first = await post(call('leave'), session);
    await first.ended;
    const [begun, before] = idsIn(first.text());
    expect(first.text()).toMatch(
      /^id: [\w-]+\.0\nretry: 10\ndata: \n\nevent: message\nid: [\w-]+\.1\n/,
    );
    expect(first.text()).toContain('before');
    expect(first.text()).not.toContain('behind');
    expect(closed).toEqual([true]);

    const second = await resume(before!, session);
    await until(() => second.text().includes('behind'));
    expect(second.text()).not.toContain('before');
    releases[0]?.();
    await second.ended;
    expect(second.text()).toContain('"text":"done"');

    // Also when the answer was given: a client may lose that, too.
    const third = await resume(begun!, session);
    await third.ended;
    expect(third.text()).toMatch(/before[\s\S]*behind[\s\S]*"text":"done"/);
    expect(idsIn(third.text())).toHaveLength(3);
  });

  it('continue after a lost connection, and the call goes on meanwhile', async () => {
    await start();
    const session = await open();
    const first = await post(call('slow'), session);
    await until(() => first.text().includes('running'));
    first.leave();
    await first.ended;
    const second = await resume(idsIn(first.text()).at(-1)!, session);
    // The latest connection has the stream.
    const third = await resume(idsIn(first.text()).at(-1)!, session);
    await second.ended;
    releases[0]?.();
    await third.ended;
    expect(third.text()).toContain('"text":"done"');
    expect([second.text(), aborted]).toEqual(['', 0]);
  });

  it('serve the official client without a word to its user, also its questions', async () => {
    await start();
    const client = await connectEra('2025-11-25', running.endpoint, {
      elicit: () => ({ action: 'decline' }),
    });
    const left = client.call('leave');
    await until(() => releases.length === 1);
    await until(() => client.logs.some(({ data }) => data === 'behind'));
    releases[0]?.();
    expect(textOf(await left)).toBe('done');
    expect(client.logs.map(({ data }) => data)).toEqual(['before', 'behind']);
    expect(textOf(await client.call('ask'))).toBe('decline');
    await client.close();
  });

  it('give nothing for an id of another session, or for any other text', async () => {
    await start();
    const [alice, bob] = [await open(), await open()];
    const first = await post(call('leave'), alice);
    await first.ended;
    const ids = idsIn(first.text());
    for (const id of [ids[0]!, ids[1]!, `${ids[0]!}0`, 'a', '.', '0', 'x'.repeat(5_000)]) {
      const { status, text } = await wire(running.endpoint).send('GET', {
        ...bob,
        accept: 'text/event-stream',
        'last-event-id': id,
      });
      expect([status, text]).toEqual([400, expect.stringContaining('Unknown Last-Event-ID')]);
    }
    // Nor does the session do without its id.
    const { status } = await resume(ids[0]!, { 'mcp-protocol-version': '2025-11-25' });
    expect(status).toBe(400);
  });

  it('give nothing for an event that was never sent, of a stream that runs or is over', async () => {
    await start();
    const session = await open();
    const first = await post(call('leave'), session);
    await first.ended;
    const [begun] = idsIn(first.text());
    const [stream] = begun!.split('.');
    const listening = await streamed(running.endpoint, undefined, session);
    let isOver = false;
    void listening.ended.then(() => (isOver = true));
    await until(() => idsIn(listening.text()).length === 1);
    const [main] = idsIn(listening.text())[0]!.split('.');
    const get = (id: string) => resume(id, session);
    for (const id of [`${stream}.3`, `${stream}.999999999999`, `${main}.1`, `${main}.7`]) {
      const { status, text, ended } = await get(id);
      await ended;
      expect([id, status, text()]).toEqual([
        id,
        400,
        expect.stringContaining('Unknown Last-Event-ID'),
      ]);
    }
    releases[0]?.();
    // The call has its stream still, and the answer arrives.
    const rest = await get(begun!);
    await rest.ended;
    expect(rest.text()).toContain('"text":"done"');
    expect(idsIn(rest.text())).toEqual([1, 2, 3].map((seq) => `${stream}.${seq}`));
    for (const id of [`${stream}.4`, `${stream}.7`]) expect((await get(id)).status).toBe(400);
    // A client that has the answer waits for nothing.
    const nothing = await get(`${stream}.3`);
    await nothing.ended;
    expect([nothing.status, idsIn(nothing.text())]).toEqual([200, []]);
    // The stream that belongs to no request is still the one of its client.
    expect(isOver).toBe(false);
    // Until it opens another.
    const latest = await streamed(running.endpoint, undefined, session);
    await listening.ended;
    expect(latest.status).toBe(200);
    latest.leave();
  });

  it('continue the stream that belongs to no request', async () => {
    await start();
    const session = await open();
    const subscribe = { ...call(''), method: 'resources/subscribe', params: { uri: 'notes://a' } };
    expect((await wire(running.endpoint).post(subscribe, session)).status).toBe(200);
    const adapterOf = running.app.get(McpAdapter, { strict: false });
    const first = await streamed(running.endpoint, undefined, session);
    await until(() => idsIn(first.text()).length === 1);
    adapterOf.resourceUpdated('notes://a');
    await until(() => idsIn(first.text()).length === 2);
    first.leave();
    await first.ended;
    adapterOf.resourceUpdated('notes://a');
    const second = await resume(idsIn(first.text()).at(-1)!, session);
    await until(() => second.text().includes('notes://a'));
    adapterOf.resourceUpdated('notes://a');
    await until(() => second.text().split('notes://a').length === 3);
    expect(new Set([...idsIn(first.text()), ...idsIn(second.text())]).size).toBe(4);
    second.leave();
  });

  it('are kept within limits: the oldest events go first, and an answer that is too large', async () => {
    await start({ retryMs: 10, maxEvents: 5, maxBytes: 10_000 });
    const session = await open();
    const many = await post(call('many', { count: 50 }), session);
    await many.ended;
    const rest = await resume(idsIn(many.text())[0]!, session);
    await rest.ended;
    expect(idsIn(rest.text())).toHaveLength(5);
    expect(rest.text()).not.toContain('line-46-');
    expect(rest.text()).toMatch(/line-47-[\s\S]*"text":"done"/);

    const large = await post(call('large', {}, 'l'), session);
    await large.ended;
    const answer = await resume(idsIn(large.text())[0]!, session);
    await answer.ended;
    expect(answer.text()).toContain('"id":"l"');
    expect(answer.text()).toContain('The response exceeds sessions.resume.maxBytes (10000)');
  });

  it('are kept for a time', async () => {
    await start({ retryMs: 10, keepMs: 50 });
    const session = await open();
    const first = await post(call('many', { count: 1 }), session);
    await first.ended;
    await until(async () => (await resume(idsIn(first.text())[0]!, session)).status === 400);
  });

  it.each([
    ['for clients of earlier revisions', true, '2025-06-18'],
    ['without the option', false, '2025-11-25'],
  ])('have no ids %s, and routes cannot close them', async (_, option, version) => {
    await start(option);
    const session = await open(version);
    const first = await post(call('leave'), session);
    await until(() => first.text().includes('behind'));
    expect(closed).toEqual([false]);
    releases[0]?.();
    await first.ended;
    expect(first.text()).toContain('"text":"done"');
    expect(idsIn(first.text())).toEqual([]);
  });
});
