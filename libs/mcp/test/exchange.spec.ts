import { createReadStream } from 'node:fs';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Headers,
  Ip,
  Module,
  Param,
  Post,
  Query,
  Req,
  Res,
  StreamableFile,
  type INestApplication,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CallOutcome, HttpExchange } from '../src/serve/call/call.js';
import type { RouteRequest } from '../src/publish/arguments/request-builder.js';
import { messageFactoryFor } from '../src/serve/call/node-messages.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

const storage = new AsyncLocalStorage<string>();
const seen: { begun: number; closed: number; finished: string[] } = {
  begun: 0,
  closed: 0,
  finished: [],
};

@Controller()
class AppController {
  @Post('echo/:id')
  echo(
    @Param('id') id: string,
    @Query() query: object,
    @Body() body: unknown,
    @Headers('x-listed') listed: string,
    @Ip() ip: string,
    @Req() request: IncomingMessage & { raw?: IncomingMessage },
  ) {
    const raw = request.raw ?? request;
    return { id, query, body, listed, ip, distinct: raw.headersDistinct['x-listed'] };
  }

  @Get('file')
  file() {
    return new StreamableFile(createReadStream(fileURLToPath(import.meta.url)));
  }

  @Get('chunks')
  chunks(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    raw.writeHead(206, { 'X-Raw': 'yes', 'content-type': 'text/plain' });
    raw.write('one ');
    raw.write(Buffer.from('two '), () => seen.finished.push('callback'));
    raw.on('finish', () => seen.finished.push('finish'));
    raw.on('close', () => seen.finished.push('close'));
    setImmediate(() => raw.end('three'));
  }

  @Get('hang')
  hang(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    seen.begun++;
    (request.raw ?? request).once('close', () => seen.closed++);
    return new Promise(() => undefined);
  }

  @Get('drop')
  drop(@Req() request: IncomingMessage & { raw?: IncomingMessage }) {
    (request.raw ?? request).socket.destroy();
    return new Promise(() => undefined);
  }

  @Get('endless/stream')
  endlessStream() {
    return new StreamableFile(Readable.from(endless()));
  }

  @Get('endless/drain')
  async endlessDrain(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    const closed = once(raw, 'close');
    for (const chunk of endless()) {
      if (raw.destroyed) break;
      if (!raw.write(chunk)) await Promise.race([once(raw, 'drain'), closed]);
    }
  }

  @Get('endless/callback')
  async endlessCallback(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    for (const chunk of endless()) {
      const error = await new Promise((resolve) => void raw.write(chunk, resolve));
      if (error) break;
    }
  }

  @Get('drains')
  async drains(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    for (let i = 0; i < 3; i++) {
      let turned = false;
      setImmediate(() => (turned = true));
      const goesOn = raw.write('x'.repeat(20_000));
      const needed = raw.writableNeedDrain;
      await once(raw, 'drain');
      drained.push([goesOn, needed, turned, raw.writableNeedDrain]);
    }
    raw.end();
  }

  @Get('late')
  late(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    seen.begun++;
    raw.on('error', () => seen.finished.push('error'));
    raw.once('close', () => {
      raw.write('late');
      raw.write('late', (error) => seen.finished.push(String(error)));
    });
  }

  @Get('context')
  context() {
    return { store: storage.getStore() ?? 'none' };
  }
}

/** What `drains` saw: `write()` and `writableNeedDrain` before and behind each wait, and whether timers ran. */
let drained: unknown[] = [];
let produced = 0;

/** Without the limit, much more than a process should produce. */
function* endless(): Generator<Buffer> {
  for (produced = 0; produced < 50_000_000;) {
    produced += 1_000;
    yield Buffer.alloc(1_000, 'x');
  }
}

@Module({ controllers: [AppController] })
class AppModule {}

describe.each(platforms)('an exchange in process on $name', ({ adapter }) => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await NestFactory.create(AppModule, adapter(), { logger: false });
    await app.init();
    await (app.getHttpAdapter().getInstance() as { ready?: () => Promise<void> }).ready?.();
  });
  afterAll(() => app.close());

  function start(
    call: Partial<RouteRequest>,
    headers: string[] = [],
    timeoutMs = 60_000,
  ): HttpExchange {
    const origin = { rawHeaders: [], headers: {}, socket: new Socket() };
    const exchange = new HttpExchange(origin, timeoutMs);
    exchange.start(
      {
        server: app.getHttpServer() as Server,
        messages: messageFactoryFor(app.getHttpAdapter().getInstance(), new WeakMap()),
        responseBytes: 64_000,
      },
      { method: 'GET', url: '/', headers: [], body: undefined, version: undefined, ...call },
      ['Host', 'api.example.com', ...headers],
    );
    return exchange;
  }

  async function responseOf(outcome: Promise<CallOutcome>) {
    const ended = await outcome;
    if (ended.kind !== 'response') throw new Error(`ended as ${ended.kind}`);
    return { ...ended.response, text: ended.response.body.toString() };
  }

  it('carries path, query, headers and body', async () => {
    const body = Buffer.from(JSON.stringify({ title: '你好 😀' }));
    const { status, text, headers } = await responseOf(
      start(
        { method: 'POST', url: '/echo/a%2Fb?tag=x&tag=y', body },
        ['content-type', 'application/json', 'content-length', String(body.length)].concat(
          ['X-Listed', 'one'],
          ['x-listed', 'two'],
        ),
      ).outcome,
    );
    expect(status).toBe(201);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(text)).toMatchObject({
      id: 'a/b',
      query: { tag: ['x', 'y'] },
      body: { title: '你好 😀' },
      listed: 'one, two',
      distinct: ['one', 'two'],
    });
  });

  it('records streams', async () => {
    const { text, bytes } = await responseOf(start({ url: '/file' }).outcome);
    expect(text).toContain('records streams');
    expect(bytes).toBe(Buffer.byteLength(text));
  });

  it('records raw writes, and runs callbacks and events in order', async () => {
    seen.finished = [];
    const { status, text, headers } = await responseOf(start({ url: '/chunks' }).outcome);
    await until(() => seen.finished.includes('close'));
    expect([status, text, headers['x-raw']]).toEqual([206, 'one two three', 'yes']);
    expect(seen.finished).toEqual(['callback', 'finish', 'close']);
  });

  it('keeps no more of a body than the limit, and counts the rest', async () => {
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(90_000) }));
    const exchange = start({ method: 'POST', url: '/echo/1', body }, [
      'content-type',
      'application/json',
      'content-length',
      String(body.length),
    ]);
    const { body: kept, bytes } = await responseOf(exchange.outcome);
    expect([kept.length, bytes > 90_000]).toEqual([64_000, true]);
  });

  it.each([['stream'], ['drain'], ['callback']])(
    'stops an endless %s at the limit, and lets its handler go',
    async (kind) => {
      const response = await responseOf(start({ url: `/endless/${kind}` }).outcome);
      expect([response.body.length, response.isLonger]).toEqual([64_000, true]);
      expect(response.bytes).toBeGreaterThan(64_000);
      expect(produced).toBeLessThan(1_000_000);
    },
  );

  it('slows a handler that writes more than is read', async () => {
    drained = [];
    const { body } = await responseOf(start({ url: '/drains' }).outcome);
    expect(body.length).toBe(60_000);
    expect(drained).toEqual([1, 2, 3].map(() => [false, true, true, false]));
  });

  it('tells only the callback of a write that comes too late', async () => {
    Object.assign(seen, { begun: 0, finished: [] });
    const exchange = start({ url: '/late' });
    await until(() => seen.begun === 1);
    exchange.abort();
    await until(() => seen.finished.length > 0);
    expect(seen.finished).toEqual(['Error: write after end']);
  });

  it('closes the socket behind the response, and lets go of both', async () => {
    const server = app.getHttpServer() as Server;
    const kept = new Set<Socket>();
    const seen: { socket: Socket; response: ServerResponse }[] = [];
    // As programs do that end open connections when they stop.
    const track = ({ socket }: IncomingMessage, response: ServerResponse) => {
      kept.add(socket);
      seen.push({ socket, response });
      socket.once('close', () => kept.delete(socket));
    };
    server.prependListener('request', track);
    await start({ url: '/context' }).outcome;
    await until(() => kept.size === 0);
    const aborted = start({ url: '/hang' });
    await until(() => kept.size === 1);
    aborted.abort();
    await until(() => kept.size === 0);
    server.removeListener('request', track);
    expect(seen[0]?.response.socket).toBeNull();
    for (const { socket } of seen) {
      expect((socket as { _httpMessage?: unknown })._httpMessage).toBeNull();
      expect(socket.listenerCount('close')).toBe(0);
      expect(socket.destroyed).toBe(true);
    }
  });

  it('answers 404 for no route and 400 for broken JSON, as over the wire', async () => {
    expect(await responseOf(start({ url: '/nowhere' }).outcome)).toMatchObject({ status: 404 });
    const body = Buffer.from('{');
    const broken = start({ method: 'POST', url: '/echo/1', body }, [
      'content-type',
      'application/json',
      'content-length',
      '1',
    ]);
    expect(await responseOf(broken.outcome)).toMatchObject({ status: 400 });
  });

  it('ends on abort, and the handler sees its caller go away', async () => {
    Object.assign(seen, { begun: 0, closed: 0 });
    const exchange = start({ url: '/hang' });
    await until(() => seen.begun === 1);
    exchange.abort();
    expect(await exchange.outcome).toEqual({ kind: 'aborted' });
    await until(() => seen.closed === 1);
  });

  it('ends after its time', async () => {
    expect(await start({ url: '/hang' }, [], 30).outcome).toEqual({ kind: 'timeout', afterMs: 30 });
  });

  it('tells the handler that its time is up', async () => {
    // On a busy machine, the time may be up before the handler begins.
    for (let timeoutMs = 30; ; timeoutMs *= 2) {
      Object.assign(seen, { begun: 0, closed: 0 });
      const { kind } = await start({ url: '/hang' }, [], timeoutMs).outcome;
      expect(kind).toBe('timeout');
      if (seen.begun === 1) break;
    }
    await until(() => seen.closed === 1);
  });

  it('ends when the application drops the connection', async () => {
    expect(await start({ url: '/drop' }).outcome).toEqual({ kind: 'closed' });
  });

  it('takes part in no other context than where it was started', async () => {
    const { text } = await storage.run('caller', () =>
      responseOf(start({ url: '/context' }).outcome),
    );
    expect(JSON.parse(text)).toEqual({ store: 'caller' });
  });

  it('gives Node requests and responses that Express need not reshape', () => {
    const factory = messageFactoryFor(app.getHttpAdapter().getInstance(), new WeakMap());
    const instance = app.getHttpAdapter().getInstance() as { request?: object; response?: object };
    const request = factory.request(
      { method: 'GET', url: '/', headers: [], body: undefined, version: undefined },
      [],
      new Socket() as never,
    );
    if (instance.request) expect(Object.getPrototypeOf(request)).toBe(instance.request);
    else expect(request.constructor.name).toBe('IncomingMessage');
  });
});
