// Any arguments object, however hostile, gives one well-formed request to the intended route or an
// error that names the fault; never another route, another header, or a throw.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Delete,
  Get,
  Module,
  Param,
  Patch,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { match } from 'path-to-regexp';
import { getMcpToolMeta, McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import { inputSchemaOf } from '../src/publish/schema/input-schema.js';
import { ArgumentError } from '../src/mcp.errors.js';
import { requestBuilderOf } from '../src/publish/arguments/request-builder.js';
import { type RunningApp, startApp } from './support/app.js';
import { platforms } from '../../../test/support/platforms.js';
import { routeOf } from './schema-routes.js';

let ran: { handler: string; headers: IncomingMessage['headers']; id: unknown }[] = [];

const anything = { type: 'object', additionalProperties: true } as const;

@Controller('targets')
class TargetController {
  @Get(':id/parts/:part')
  @McpTool({ name: 'get', description: 'x', inputSchema: anything })
  get(@Param('id') id: string, @Param('part') _part: string, @Req() request: IncomingMessage) {
    ran.push({ handler: 'get', headers: request.headers, id });
    return {};
  }

  @Post(':id')
  @McpTool({ name: 'post', description: 'x', inputSchema: anything })
  post(
    @Param('id') id: string,
    @Query('q') _q: string,
    @Body() _body: object,
    @Req() request: IncomingMessage,
  ) {
    ran.push({ handler: 'post', headers: request.headers, id });
    return {};
  }

  @Patch('files/:id/*')
  @McpTool({ name: 'patch', description: 'x', inputSchema: anything })
  patch(@Param('id') id: string, @Body() _body: object, @Req() request: IncomingMessage) {
    ran.push({ handler: 'patch', headers: request.headers, id });
    return {};
  }

  @Delete(':id')
  @McpTool({ name: 'delete', description: 'x' })
  delete(@Param('id') id: string, @Req() request: IncomingMessage) {
    ran.push({ handler: 'delete', headers: request.headers, id });
    return {};
  }
}

/** Where nothing must ever arrive. */
@Controller()
class TrapController {
  @Get(['/', 'targets', 'targets/:id', 'targets/:id/parts']) get() {
    ran.push({ handler: 'trap', headers: {}, id: undefined });
  }
  @Post(['/', 'targets', 'admin']) post() {
    ran.push({ handler: 'trap', headers: {}, id: undefined });
  }
  @Delete(['/', 'targets', 'admin']) delete() {
    ran.push({ handler: 'trap', headers: {}, id: undefined });
  }
}

@Module({ controllers: [TargetController, TrapController] })
class TargetModule {}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...['', '.', '..', '../..', '%2e%2e', '..%2f..', '/', '//', '\\', '..\\..', '?', '#', '&', '='],
    ...['%', '%00', '\u0000', '\r\nX-Injected: 1', ' ', '*', ':id', '{id}', ';v=2', '\ud800', '+'],
    ...['__proto__', 'constructor', 'http://evil.example/', '//evil.example', '@', 'admin'],
  ),
);
const hostileValue = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(hostileText, { maxLength: 4 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 4, noNullPrototype: true }),
);
const names = fc.oneof(
  fc.constantFrom(
    'id',
    'part',
    'path',
    'q',
    'body',
    'authorization',
    'host',
    '__proto__',
    'toString',
  ),
  hostileText,
);
const pathArguments = fc.record(
  { id: hostileText, part: hostileText, path: hostileText },
  { requiredKeys: [] },
);
/** As a JSON parser gives them: own properties, `__proto__` included. */
const hostileArguments = fc
  .tuple(pathArguments, fc.array(fc.tuple(names, hostileValue), { maxLength: 3 }))
  .map(([path, entries]) => {
    const all = Object.fromEntries([...entries, ...Object.entries(path)]);
    return JSON.parse(JSON.stringify(all)) as Record<string, unknown>;
  });

const tools: [keyof TargetController & string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string][] = [
  ['get', 'GET', '/targets/:id/parts/:part'],
  ['post', 'POST', '/targets/:id'],
  ['patch', 'PATCH', '/targets/files/:id/{*path}'],
  ['delete', 'DELETE', '/targets/:id'],
];

describe('the request of hostile arguments', () => {
  it.each(tools)('of %s is one to its own route, or an error', (method, verb, path) => {
    const route = routeOf(TargetController, method, verb, path);
    const input = inputSchemaOf(route, getMcpToolMeta(route.handler), () => undefined);
    const build = requestBuilderOf({ route, input }, parse);
    const matches = match(path);
    let built = 0;

    fc.assert(
      fc.property(hostileArguments, (args) => {
        let request: ReturnType<typeof build>;
        try {
          request = build(args);
        } catch (error) {
          expect(error).toBeInstanceOf(ArgumentError);
          expect((error as Error).message).toMatch(/^Argument "/);
          return;
        }
        built++;
        const url = new URL(request.url, 'http://host');
        expect(url.origin).toBe('http://host');
        expect(request.method).toBe(verb);
        // Nothing collapses: what a URL parser makes of it is what was written.
        expect(url.pathname).toBe(request.url.split('?')[0]);
        const found = matches(url.pathname);
        expect(found).not.toBe(false);
        if (found) expect((found.params as { id: string }).id).toBe(String(args['id']));
        const expected = ['accept', 'application/json, */*;q=0.5'];
        expect(request.headers).toEqual(
          request.body === undefined
            ? expected
            : [
                ...expected,
                'content-type',
                expect.any(String),
                'content-length',
                String(request.body.length),
              ],
        );
        for (const part of [request.url, ...request.headers])
          expect(part).toMatch(/^[\x21-\x7e ]*$/);
      }),
      { numRuns: 2_000 },
    );
    expect(built).toBeGreaterThan(20);
  });
});

describe.each(platforms)('hostile arguments over HTTP on $name', ({ adapter }) => {
  let running: RunningApp;
  let session: string;
  beforeAll(async () => {
    running = await startApp(adapter(), { imports: [TargetModule] });
    session = await running.wire.initialize();
  });
  afterAll(() => running.close());

  it('reach their route or are refused', async () => {
    const names = tools.map(([name]) => name);
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), hostileArguments, async (name, args) => {
        ran = [];
        const { status, message } = await running.wire.post(
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
          { 'mcp-session-id': session },
        );
        expect([status, message.error]).toEqual([200, undefined]);
        expect(ran.map(({ handler }) => handler)).toEqual(ran.length === 0 ? [] : [name]);
        for (const { headers, id } of ran) {
          reached++;
          expect(id).toBe(String(args['id']));
          expect(Object.keys(headers).sort()).toEqual(
            expect.not.arrayContaining(['x-injected', 'authorization', 'cookie']),
          );
          expect(headers.host).toBe(new URL(running.url).host);
        }
        if (ran.length === 0) expect(message.result?.['isError']).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(reached).toBeGreaterThan(20);
  });
});
