// What handlers may wait for: the same over HTTP and in a tool call.
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

type Request = IncomingMessage & { raw?: IncomingMessage };
type Response = ServerResponse & { raw?: ServerResponse };
type Wait = (response: ServerResponse, request: IncomingMessage) => Promise<unknown>;

const called = (run: (done: () => void) => unknown) =>
  new Promise<void>((resolve) => void run(() => resolve()));

const WAITS: Record<string, Wait> = {
  earlyHints: (response) =>
    called((done) => response.writeEarlyHints({ link: '</a.css>; rel=preload' }, done)),
  processing: (response) => called((done) => response.writeProcessing(done)),
  continue: (response) => called((done) => response.writeContinue(done)),
  socketWrite: ({ socket }) => called((done) => socket!.write('', done)),
  socketWriteEncoded: ({ socket }) => called((done) => socket!.write('', 'utf8', done)),
  timeout: (response) => called((done) => response.setTimeout(5, done)),
  timeoutEvent: (response) => {
    response.setTimeout(5);
    return once(response, 'timeout');
  },
  socketTimeout: (response) => {
    response.setTimeout(5, () => undefined);
    return once(response.socket!, 'timeout');
  },
  requestTimeout: (response, request) => {
    response.on('timeout', () => undefined);
    request.setTimeout(5);
    return once(request.socket, 'timeout');
  },
  requestEnd: (_response, request) => finished(request.resume()),
};

/** What a handler waited for after its response. */
let seen: string[] = [];

@Controller()
class WaitsController {
  @Get('waits/:kind')
  @McpTool({ name: 'wait', description: 'Waits for something of its response' })
  async wait(@Param('kind') kind: string, @Req() request: Request, @Res() response: Response) {
    const raw = response.raw ?? response;
    await WAITS[kind]!(raw, request.raw ?? request);
    const { headersSent, writableEnded } = raw;
    raw.end(JSON.stringify({ headersSent, writableEnded, complete: raw.req.complete }));
  }

  @Get('after')
  @McpTool({ name: 'after', description: 'Looks at its response when it has ended' })
  after(@Req() request: Request, @Res() response: Response) {
    const raw = response.raw ?? response;
    const note = (event: string) => () => seen.push(event);
    raw.on('finish', note('finish')).on('close', note('close'));
    (request.raw ?? request).on('close', note('request close'));
    void finished(raw).then(note('finished'));
    raw.end('bye', () => seen.push(`end ${raw.writableFinished}`));
  }

  @Get('idle')
  @McpTool({ name: 'idle', description: 'Is closed by its time-out' })
  idle(@Res() response: Response) {
    (response.raw ?? response).setTimeout(5);
  }
}

describe.each(platforms)('a response on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient;
  beforeAll(async () => {
    running = await startApp(adapter(), controllers(WaitsController));
    client = await connectEra('2026-07-28', running.endpoint);
  });
  afterAll(async () => {
    await client.close();
    await running.close();
  });

  it.each(Object.keys(WAITS))('lets its handler go on: %s', async (kind) => {
    // Not by fetch, which takes `100 Continue` for an error. On its own connection, which the handler may let time out.
    const sent = get(`${running.url}/waits/${kind}`, { agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const direct = await text(response);
    const { content } = await client.call('wait', { kind });
    expect(content).toEqual([{ type: 'text', text: direct }]);
  });

  it('says that it has ended, in the order of Node.js', async () => {
    const orders: string[][] = [];
    const calls = [() => fetch(`${running.url}/after`), () => client.call('after')];
    for (const call of calls) {
      seen = [];
      await call();
      await until(() => seen.length === 5);
      orders.push(seen.toSorted());
    }
    expect(orders[1]).toEqual(orders[0]);
  });

  it('is closed by a time-out that nobody handles', async () => {
    await expect(fetch(`${running.url}/idle`)).rejects.toThrow();
    expect(await client.call('idle')).toMatchObject({
      content: [{ text: 'Tool "idle" ended without a response.' }],
      isError: true,
    });
  });
});
