// What `audit.onCall` receives of calls that succeed, fail and are refused.
import { EventEmitter, once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Headers,
  type LoggerService,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { defineHttpContextDecorator } from '@fledge/core';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { McpServer as Server1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as Server2 } from '@modelcontextprotocol/server';
import {
  type McpAdapterOptions,
  type McpAuditOptions,
  type McpAuthOptions,
  type McpCallRecord,
  McpPrompt,
  McpResource,
  McpTool,
} from '../src/index.js';
import { type Platform, platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { postModern } from './support/modern-wire.js';
import { INITIALIZE } from './support/wire.js';

class Account {
  @IsString()
  @ApiProperty()
  name!: string;

  @IsString()
  @ApiProperty({ format: 'password' })
  password!: string;

  @IsString()
  @ApiProperty({ writeOnly: true })
  pin!: string;

  @IsString()
  @ApiProperty()
  note!: string;
}

class Payment {
  @IsString()
  @ApiProperty()
  name!: string;
}

const LoadUser = defineHttpContextDecorator({
  key: 'user',
  resolve: ({ params }) => `user of ${String(params['id'])}`,
});

@Controller('accounts')
class AccountsController {
  @Post()
  @McpTool({ name: 'create', description: 'Creates', redact: ['note'] })
  create(@Body() { name }: Account) {
    if (name === 'taken') throw new ConflictException({ code: 'TAKEN', message: 'Taken' });
    return { name };
  }

  @Get(':id')
  @LoadUser
  @McpTool({ name: 'find', description: 'Finds' })
  @McpResource({ uri: 'accounts://{id}' })
  @McpPrompt({ name: 'greet', description: 'Greets' })
  find(@Param('id', ParseIntPipe) id: number) {
    return `account ${id}`;
  }

  @Get('slow/one')
  @McpTool({ name: 'slow', description: 'Waits', timeoutMs: 20 })
  slow() {
    return new Promise((resolve) => setTimeout(resolve, 200));
  }

  @Get('endless/one')
  @McpTool({ name: 'endless', description: 'Waits until its client leaves' })
  endless() {
    endless.emit('started');
    return new Promise(() => undefined);
  }

  @Get('headers/session')
  @McpTool({ name: 'session', description: 'Returns the session id' })
  session(@Headers('mcp-session-id') id?: string) {
    return { id: id ?? null };
  }

  @Post('payments')
  @McpTool({ name: 'pay', description: 'Pays once', idempotency: true })
  async pay(@Body() { name }: Payment) {
    const paid = once(payments, 'paid');
    payments.emit('started');
    await paid;
    if (name === 'taken') throw new ConflictException({ code: 'TAKEN', message: 'Taken' });
  }

  @Get('admin/one')
  @McpTool({ name: 'admin', description: 'For admins', scopes: ['admin'] })
  admin() {
    return 'admin';
  }
}

/** An SDK server whose items fail. */
function failing(server: Server1 | Server2): typeof server {
  const fail = (text: string) => () => Promise.reject<never>(new Error(text));
  const one = server as Server2;
  one.registerTool('book', {}, fail('No room is free'));
  one.registerPrompt('plan', {}, fail('No plan'));
  one.registerResource('room', 'rooms://1', {}, fail('No key'));
  return server;
}

const endless = new EventEmitter();
const payments = new EventEmitter();

const ACCOUNT = { name: 'ada', password: 'hunter2', pin: '1234', note: 'n' };
const auth: McpAuthOptions = {
  type: 'bearer',
  validate: (token) => token === 'good' && { id: 'user-1' },
};
const GOOD = { headers: { authorization: 'Bearer good' } };

let running: RunningApp | undefined;
let client: EraClient | undefined;

afterEach(async () => {
  await client?.close();
  await running?.close();
  client = running = undefined;
});

const errors: unknown[] = [];
const logger: LoggerService = {
  log: () => undefined,
  warn: () => undefined,
  error: (...line: unknown[]) => void errors.push(line),
};

async function start(
  adapter: Platform['adapter'],
  audit: Partial<McpAuditOptions> = {},
  mcp: Partial<McpAdapterOptions> = {},
) {
  errors.length = 0;
  const records: McpCallRecord[] = [];
  const onCall = (record: McpCallRecord) => void records.push(record);
  running = await startApp(adapter(), {
    ...controllers(AccountsController),
    mcp: { auth, audit: { onCall, ...audit }, ...mcp },
    app: { logger },
  });
  return { running, records };
}

describe.each(platforms)('audit on $name', ({ adapter }) => {
  it('answers a client whose name is not a string', async () => {
    const { running } = await start(adapter);
    const clientInfo = { name: { toString: null }, version: '1' };
    const initialize = { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } };
    const params = { _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo } };
    const answers = [
      await running.wire.post(initialize, GOOD.headers),
      await postModern(running.wire, { method: 'tools/list', params, ...GOOD }),
    ];
    for (const { status, message } of answers)
      expect([status, message.error?.code]).toEqual([400, -32602]);
  });

  describe.each(eras)('of a client of %s', (era) => {
    it('records who called what, with what and how it went, without secrets', async () => {
      const { running, records } = await start(adapter);
      client = await connectEra(era, running.endpoint, GOOD);
      const before = Date.now();
      await client.call('create', ACCOUNT);
      const [record] = records;
      expect(records).toHaveLength(1);
      expect(record).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.any(Date),
        endpoint: '/_mcp/messages',
        method: 'tools/call',
        kind: 'tool',
        name: 'create',
        client: { name: 'spec', version: '1.0.0' },
        revision: era,
        session: era === '2025-11-25' ? expect.stringMatching(/^[0-9a-f]{16}$/) : undefined,
        principal: 'user-1',
        tenant: undefined,
        arguments: { name: 'ada', password: '[redacted]', pin: '[redacted]', note: '[redacted]' },
        outcome: 'ok',
        status: 201,
        error: undefined,
        durationMs: expect.any(Number),
        requestBytes: expect.any(Number),
        resultBytes: expect.any(Number),
      });
      // Random digits may be those of the pin.
      const fixed = { ...record, id: '', session: '', at: '', durationMs: 0 };
      expect(JSON.stringify(fixed)).not.toMatch(/hunter2|1234/);
      expect(record!.at.getTime()).toBeGreaterThanOrEqual(before - 1);
      expect(record!.durationMs).toBeGreaterThan(0);
      expect(record!.requestBytes).toBeGreaterThan(JSON.stringify(ACCOUNT).length);
      expect(record!.resultBytes).toBeGreaterThan('{"name":"ada"}'.length);
    });

    it('gets the context of the route, with the user that a context decorator found', async () => {
      const users: unknown[] = [];
      const { running } = await start(adapter, {
        onCall: (_record, ctx) => users.push(ctx?.get('user')),
      });
      client = await connectEra(era, running.endpoint, GOOD);
      await client.call('find', { id: 1 });
      await client.call('find', { id: 2 });
      await client.call('create', { name: 5 });
      expect(users).toEqual(['user of 1', 'user of 2', undefined]);
    });

    it('records errors of the route, refused arguments, unknown tools, time-outs and scopes', async () => {
      const { running, records } = await start(adapter);
      client = await connectEra(era, running.endpoint, GOOD);
      await client.call('create', { ...ACCOUNT, name: 'taken' });
      await client.call('find', { id: 'abc' });
      await client.call('find', { id: 1, token: 'hunter2' });
      await client.call('slow');
      await client.call('nothing', { token: 'hunter2' }).catch(() => undefined);
      await client.call('admin').catch(() => undefined);
      expect(
        records.map(({ name, outcome, status, error, arguments: args }) => [
          name,
          outcome,
          status,
          error?.code,
          args,
        ]),
      ).toEqual([
        ['create', 'error', 409, 'TAKEN', expect.objectContaining({ name: 'taken' })],
        ['find', 'refused', undefined, 'tool_error', { id: 'abc' }],
        ['find', 'refused', undefined, 'tool_error', { id: 1, token: '[redacted]' }],
        ['slow', 'error', undefined, 'timeout', {}],
        ['nothing', 'refused', undefined, -32602, undefined],
        ['admin', 'refused', 403, -32000, undefined],
      ]);
      expect(records[3]!.error!.text).toBe('Tool "slow" timed out after 20 ms.');
      expect(records[5]!.error!.text).toBe('Forbidden: This request requires the scopes admin');
    });

    it('records resources and prompts', async () => {
      const { running, records } = await start(adapter);
      client = await connectEra(era, running.endpoint, GOOD);
      const official = client.client;
      await official.readResource({ uri: 'accounts://7' });
      await official.readResource({ uri: 'accounts://x' }).catch(() => undefined);
      await official.getPrompt({ name: 'greet', arguments: { id: '7' } });
      await official.getPrompt({ name: 'nobody' }).catch(() => undefined);
      expect(
        records.map(({ method, kind, name, outcome, status, error, client }) => [
          method,
          kind,
          name,
          outcome,
          status,
          error?.code,
          client?.name,
        ]),
      ).toEqual([
        ['resources/read', 'resource', 'accounts://7', 'ok', 200, undefined, 'spec'],
        ['resources/read', 'resource', 'accounts://x', 'refused', undefined, -32602, 'spec'],
        ['prompts/get', 'prompt', 'greet', 'ok', 200, undefined, 'spec'],
        ['prompts/get', 'prompt', 'nobody', 'refused', undefined, -32602, 'spec'],
      ]);
    });

    it.each([
      ['1.x', Server1],
      ['2.x', Server2],
    ])('records items of servers that ran as errors: SDK %s', async (_sdk, Server) => {
      const servers = [failing(new Server({ name: 'rooms', version: '1.0.0' }))];
      const { running, records } = await start(adapter, {}, { servers });
      client = await connectEra(era, running.endpoint, GOOD);
      const official = client.client;
      await client.call('book');
      await official.getPrompt({ name: 'plan' }).catch(() => undefined);
      await official.readResource({ uri: 'rooms://1' }).catch(() => undefined);
      await official.readResource({ uri: 'rooms:///none' }).catch(() => undefined);
      expect(records.map(({ name, outcome, error }) => [name, outcome, error?.text])).toEqual([
        ['book', 'error', 'No room is free'],
        ['plan', 'error', expect.stringContaining('No plan')],
        ['rooms://1', 'error', expect.stringContaining('No key')],
        ['rooms:///none', 'refused', expect.stringMatching(/not found/i)],
      ]);
    });

    it('records a call that its client cancels', async () => {
      const { running, records } = await start(adapter);
      client = await connectEra(era, running.endpoint, GOOD);
      const leaving = new AbortController();
      const started = once(endless, 'started');
      const call = client.call('endless', {}, { signal: leaving.signal });
      await started;
      leaving.abort();
      await expect(call).rejects.toThrow();
      await until(() => records.length > 0);
      expect(records).toMatchObject([{ name: 'endless', outcome: 'cancelled', resultBytes: 0 }]);
    });

    it.each([
      ['ada', 'ok', 201, undefined],
      ['taken', 'error', 409, 'TAKEN'],
    ])('records how a call with a key ended after its client left: %s', async (name, ...ended) => {
      const { running, records } = await start(adapter);
      client = await connectEra(era, running.endpoint, GOOD);
      const args = { name, idempotencyKey: 'k1' };
      const responses: ServerResponse[] = [];
      const server = running.app.getHttpServer() as Server;
      server.prependListener('request', ({ method }, response) => {
        if (method === 'POST') responses.push(response);
      });
      const leaving = new AbortController();
      const started = once(payments, 'started');
      const call = client.call('pay', args, { signal: leaving.signal });
      await started;
      const left = once(responses[0]!, 'close');
      leaving.abort();
      await expect(call).rejects.toThrow();
      await left;
      expect(records).toEqual([]);
      payments.emit('paid');
      await until(() => records.length === 1);
      const { outcome, status, error, resultBytes, arguments: shown } = records[0]!;
      expect([outcome, status, error?.code]).toEqual(ended);
      expect([resultBytes, shown]).toEqual([0, args]);
    });

    it('holds the answer until the record is stored, if that is asked for', async () => {
      let stored = false;
      const onCall = async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        stored = true;
      };
      const { running } = await start(adapter, { onCall, await: true });
      client = await connectEra(era, running.endpoint, GOOD);
      expect(await client.call('find', { id: 1 })).toMatchObject({ isError: false });
      expect(stored).toBe(true);
      stored = false;
      await client.client.readResource({ uri: 'accounts://7' });
      expect(stored).toBe(true);
    });

    it.each([
      [
        'throws',
        () => {
          throw new Error('disk full');
        },
      ],
      ['rejects', () => Promise.reject(new Error('disk full'))],
    ])('answers as ever where onCall %s, and logs it', async (_how, onCall) => {
      const { running } = await start(adapter, { onCall, await: true });
      client = await connectEra(era, running.endpoint, GOOD);
      expect(await client.call('find', { id: 1 })).toMatchObject({
        content: [{ type: 'text', text: 'account 1' }],
        isError: false,
      });
      expect(String(errors)).toContain('disk full');
    });
  });

  it('records requests that authentication or a lost session refused', async () => {
    const { running, records } = await start(adapter);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find' } };
    await running.wire.post(call, { authorization: 'Bearer bad' });
    await running.wire.post(call, {
      authorization: 'Bearer bad',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'find',
    });
    await running.wire.post(call, { authorization: 'Bearer good', 'mcp-session-id': 'gone' });
    const shown = records.map(({ method, name, principal, outcome, status, error }) => [
      method,
      name,
      principal,
      outcome,
      status,
      error?.text,
    ]);
    expect(shown).toEqual([
      [undefined, undefined, undefined, 'refused', 401, 'Unauthorized'],
      ['tools/call', 'find', undefined, 'refused', 401, 'Unauthorized'],
      ['tools/call', 'find', 'user-1', 'refused', 404, 'Session not found'],
    ]);
  });

  it('gives the calls of one session one key, which is not its id', async () => {
    const { running, records } = await start(adapter);
    const [one, other] = [await running.connect(GOOD.headers), await running.connect(GOOD.headers)];
    for (const session of [one, one, other]) await session.call('find', { id: 1 });
    const keys = records.map(({ session }) => session);
    expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(`^${keys[0]}$`)]);
    expect(one.transport?.sessionId).not.toContain(keys[0]);
    await Promise.all([one.leave(), other.leave()]);
  });

  it('holds an answer for limits.timeoutMs at most, and logs that the record was late', async () => {
    const onCall = () => new Promise(() => undefined);
    const { running } = await start(
      adapter,
      { onCall, await: true },
      { limits: { timeoutMs: 200 } },
    );
    client = await connectEra('2026-07-28', running.endpoint, GOOD);
    expect(await client.call('find', { id: 1 })).toMatchObject({ isError: false });
    expect(String(errors)).toContain('audit.onCall did not finish within 200 ms');
  });

  it('leaves the arguments out, if that is asked for', async () => {
    const { running, records } = await start(adapter, { arguments: false });
    client = await connectEra('2026-07-28', running.endpoint, GOOD);
    await client.call('find', { id: 1 });
    expect(records).toMatchObject([{ name: 'find', arguments: undefined }]);
  });

  it('drops the session id of a message without a session, which may be stolen', async () => {
    const { running, records } = await start(adapter);
    const { wire } = running;
    const session = await wire.initialize(GOOD.headers);
    const headers = { ...GOOD.headers, 'mcp-session-id': session };
    const params = { name: 'session', arguments: {} };
    const text = (id: string | null) => ({ content: [{ text: JSON.stringify({ id }) }] });
    const own = await wire.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    expect(own.message.result).toMatchObject(text(session));
    const stolen = await postModern(wire, { method: 'tools/call', params, headers });
    expect(stolen.message.result).toMatchObject(text(null));
    expect(records.map((record) => record.session)).toEqual([expect.any(String), undefined]);
  });

  it('waits on close for the records that are being stored', async () => {
    let store!: () => void;
    const storing = new Promise<void>((resolve) => (store = resolve));
    const events: string[] = [];
    const onCall = async () => {
      await storing;
      events.push('stored');
    };
    const { running } = await start(adapter, { onCall });
    const session = await running.connect(GOOD.headers);
    await session.call('find', { id: 1 });
    await session.leave();
    const closed = running.app.close().then(() => events.push('closed'));
    const status = async () => (await running.wire.post(INITIALIZE)).status;
    await until(async () => (await status()) === 503);
    for (let i = 0; i < 5; i += 1) expect(await status()).toBe(503);
    expect(events).toEqual([]);
    store();
    await closed;
    expect(events).toEqual(['stored', 'closed']);
  });
});

it.each([
  [
    ['user.pinn'],
    'contains "user.pinn", but "user" has only these properties: name, password, pin, note.',
  ],
  [['users.pinn'], 'contains "users.pinn", but "users" has only these properties: name, '],
  [
    ['usr.pin'],
    'contains the argument "usr.pin", which does not exist. The arguments are: user, users.',
  ],
  [['user.pin', 'users.pin', 'users.note'], undefined],
])('checks at boot that the arguments have the fields of redact: %j', async (redact, message) => {
  class Body1 {
    user!: Account;
    users!: Account[];
  }
  for (const name of ['user', 'users'] as const) {
    const isArray = name === 'users';
    ApiProperty({ type: isArray ? [Account] : Account })(Body1.prototype, name);
    ValidateNested({ each: isArray })(Body1.prototype, name);
    Type(() => Account)(Body1.prototype, name);
  }
  class Nested {
    make(body: Body1) {
      return body;
    }
  }
  Body()(Nested.prototype, 'make', 0);
  const method = Object.getOwnPropertyDescriptor(Nested.prototype, 'make')!;
  Reflect.defineMetadata('design:paramtypes', [Body1], Nested.prototype, 'make');
  Post()(Nested.prototype, 'make', method);
  McpTool({ name: 'make', description: 'x', redact })(Nested.prototype, 'make', method);
  Controller('nested')(Nested);
  const started = startApp(platforms[0]!.adapter(), controllers(Nested));
  if (message === undefined) await (await started).close();
  else await expect(started).rejects.toThrow(message);
});

it('refuses at boot a name in redact that is no argument', async () => {
  class Misspelt {
    find(id: string) {
      return id;
    }
  }
  Param('id')(Misspelt.prototype, 'find', 0);
  const method = Object.getOwnPropertyDescriptor(Misspelt.prototype, 'find')!;
  Reflect.defineMetadata('design:paramtypes', [String], Misspelt.prototype, 'find');
  Get(':id')(Misspelt.prototype, 'find', method);
  McpTool({ name: 'find', description: 'x', redact: ['ID'] })(Misspelt.prototype, 'find', method);
  Controller('misspelt')(Misspelt);
  await expect(startApp(platforms[0]!.adapter(), controllers(Misspelt))).rejects.toThrow(
    'the option `redact` of @McpTool contains the argument "ID", which does not exist. The arguments are: id.',
  );
});
