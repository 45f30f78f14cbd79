// Bodies that the application has read before the endpoint could.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { INITIALIZE } from './support/wire.js';
import { MESSAGE } from './support/things.js';

@Controller()
class HelloController {
  @Get('hello')
  @McpTool({ name: 'hello', description: 'Greets' })
  hello() {
    return { hello: 'there' };
  }
}

type Holder = IncomingMessage & { body?: unknown; rawBody?: unknown };
type Main = (app: INestApplication) => void | Promise<void>;
type Next = () => void;

/** A middleware that reads the whole body, and leaves of it what it is told to. */
const reading =
  (leave: (request: Holder, bytes: Buffer) => void = () => undefined): Main =>
  (app) =>
    void app.use((request: Holder, _response: unknown, next: Next) => {
      void buffer(request).then((bytes) => {
        leave(request, bytes);
        next();
      });
    });

const DEEP = `${'['.repeat(300)}${']'.repeat(300)}`;
/** The end of the body of the last request, if a middleware listens to it. */
let arrived: Promise<unknown>;

const auth: McpAdapterOptions['auth'] = {
  type: 'bearer',
  validate: async () => {
    await arrived;
    return true;
  },
};

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('the body of a message on $name', ({ adapter }) => {
  async function answerTo(body: unknown, main: Main, mcp: Partial<McpAdapterOptions> = {}) {
    running = await startApp(adapter(), { ...controllers(HelloController), main, mcp });
    return await running.wire.post(body, { authorization: 'Bearer token' });
  }

  it.each<[left: string, leave: (request: Holder, bytes: Buffer) => void]>([
    ['parsed', (request, bytes) => (request.body = JSON.parse(String(bytes)))],
    ['as bytes', (request, bytes) => (request.body = bytes)],
    ['as text', (request, bytes) => (request.body = String(bytes))],
    ['raw', (request, bytes) => (request.rawBody = bytes)],
    [
      'raw, beside an empty object',
      (request, bytes) => Object.assign(request, { body: {}, rawBody: bytes }),
    ],
  ])('is used where a middleware left it %s', async (__, leave) => {
    expect(await answerTo(INITIALIZE, reading(leave))).toMatchObject({ status: 200 });
  });

  it.each<[name: string, main: Main]>([
    ['has read it', reading()],
    ['left an empty object', reading((request) => (request.body = {}))],
    [
      'is reading it',
      (app) =>
        void app.use((request: Holder, __: unknown, next: Next) =>
          request.once('data', () => next()),
        ),
    ],
  ])('that is gone, since a middleware %s, is refused at once', async (__, main) => {
    expect(await answerTo(INITIALIZE, main)).toMatchObject({
      status: 400,
      message: {
        error: {
          code: -32000,
          message:
            'Bad Request: A middleware or hook of the application read the body before the MCP ' +
            'endpoint. Exclude this path from the middleware or hook, or store the body in ' +
            '`request.body` or `request.rawBody`',
        },
      },
    });
  });

  const listening: Main = (app) =>
    void app.use((request: Holder, __: unknown, next: Next) => {
      request.on('data', () => undefined);
      arrived = once(request, 'end');
      next();
    });

  it('is read beside a middleware that only listens', async () => {
    expect(await answerTo(INITIALIZE, listening)).toMatchObject({ status: 200 });
  });

  it('is refused where it arrived while the token was checked', async () => {
    expect(await answerTo(INITIALIZE, listening, { auth })).toMatchObject({ status: 400 });
  });

  it.each<[name: string, body: string, code: number]>([
    ['no JSON', '{', -32700],
    ['a batch', '[{"jsonrpc":"2.0"}]', -32600],
    ['nested too deeply', `{"jsonrpc":${DEEP}}`, -32700],
  ])('is judged as ever where a middleware left it: %s', async (__, body, code) => {
    const leave = (request: Holder, bytes: Buffer) => {
      try {
        request.body = JSON.parse(String(bytes));
      } catch {
        request.body = bytes;
      }
    };
    expect(await answerTo(body, reading(leave))).toMatchObject({
      status: 400,
      message: { error: { code } },
    });
  });

  it('keeps its limit where a middleware left it', async () => {
    const leave = (request: Holder, bytes: Buffer) => (request.rawBody = bytes);
    const chunked: Main = (app) => {
      // Its length cannot be told from the head.
      app.use((request: Holder, __: unknown, next: Next) => {
        delete request.headers['content-length'];
        next();
      });
      return reading(leave)(app);
    };
    const limits = { requestBytes: 20 };
    expect(await answerTo(INITIALIZE, chunked, { limits })).toMatchObject({ status: 413 });
  });
});

describe('the body of a message', () => {
  const start = async (platform: number, main: Main) => {
    const { adapter } = platforms[platform]!;
    running = await startApp(adapter(), { ...controllers(HelloController), main });
  };

  it.each(['json', 'text', 'raw'] as const)(
    'is used behind the %s parser of Express',
    async (type) => {
      await start(0, (app) => {
        (app as NestExpressApplication).useBodyParser(type, { type: '*/*' });
      });
      expect(await running.wire.initialize()).toBeTruthy();
    },
  );

  it('is read from the stream that a Fastify hook puts in its place', async () => {
    await start(1, (app) => {
      const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
      fastify.addHook('preParsing', async (_request, _reply, payload) =>
        Readable.from([await buffer(payload)]),
      );
    });
    expect(await running.wire.initialize()).toBeTruthy();
  });

  it('is used where a Fastify hook leaves it on its request', async () => {
    await start(1, (app) => {
      const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
      fastify.addHook('preHandler', async (request) => {
        Object.assign(request, { rawBody: await buffer(request.raw) });
      });
    });
    expect(await running.wire.initialize()).toBeTruthy();
  });

  it.each([
    ['is decompressed by a Fastify hook, which leaves the stream paused', gzipSync, 200],
    ['is rejected if a Fastify hook cannot decompress it', (text: string) => text, 400],
  ])('%s', async (_, encode, status) => {
    await start(1, (app) => {
      const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
      fastify.addHook('preParsing', (_request, _reply, payload, done) => {
        const decoded = createGunzip();
        decoded.pause();
        done(null, payload.pipe(decoded));
      });
    });
    const response = await fetch(running.url + MESSAGE, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        accept: 'application/json, text/event-stream',
      },
      body: encode(JSON.stringify(INITIALIZE)),
    });
    expect(response.status).toBe(status);
    await response.text();
  });
});
