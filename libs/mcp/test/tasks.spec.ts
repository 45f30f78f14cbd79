// Calls that their client polls (extension io.modelcontextprotocol/tasks, SEP-2663), over HTTP.
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { BadRequestException, Controller, Get, Post, Query, Req } from '@nestjs/common';
import {
  type McpAdapterOptions,
  McpCall,
  type McpCallRecord,
  McpCallInfo,
  type McpStoredTask,
  type McpTaskStore,
  McpTool,
} from '../src/index.js';
import { MemoryTasks } from '../src/extensions/tasks/memory-tasks.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra } from './support/eras.js';
import { fakeOnly } from './support/fake-timers.js';
import { postModern } from './support/modern-wire.js';
import { wire } from './support/wire.js';

/** The user of a tool may think longer than the tool may run. */
const PATIENT_MS = 20_000;
const KNOWS_TASKS: Record<string, object> = { 'io.modelcontextprotocol/tasks': {} };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** What the routes of this process saw, and what lets them go on. */
const gate = { open: () => undefined as void, seen: [] as unknown[] };

async function untilAborted({ signal }: McpCall) {
  gate.seen.push('runs');
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  gate.seen.push('aborted');
}

@Controller('jobs')
class JobsController {
  @Get('work')
  @McpTool({ name: 'work', description: 'Works until the gate opens', task: true })
  async work(
    @McpCallInfo() call: McpCall,
    @Req() request: IncomingMessage & { readonly raw?: IncomingMessage },
    @Query('fails') fails?: string,
  ) {
    const { signal } = call;
    const node = request.raw ?? request;
    node.once('close', () => gate.seen.push('closed'));
    signal?.addEventListener('abort', () => gate.seen.push('aborted'));
    call.progress(1, 2, 'Half done');
    gate.seen.push('runs');
    await new Promise<void>((resolve) => {
      gate.open = resolve;
      signal?.addEventListener('abort', () => resolve());
    });
    if (fails) throw new BadRequestException(fails);
    return { from: node.socket.remoteAddress, tenant: node.headers['x-tenant'] };
  }

  @Post('keyed')
  @McpTool({ name: 'keyed', description: 'Works with a key', task: true, idempotency: true })
  keyed(@McpCallInfo() call: McpCall) {
    return untilAborted(call);
  }

  @Post('keyed_late')
  @McpTool({
    name: 'keyed_late',
    description: 'Works with a key, and starts its task itself',
    task: { start: 'route' },
    idempotency: true,
  })
  async keyedLate(@McpCallInfo() call: McpCall) {
    await call.startTask();
    return untilAborted(call);
  }

  @Get('ask')
  @McpTool({ name: 'ask', description: 'Asks twice', task: true, timeoutMs: PATIENT_MS })
  async ask(@McpCallInfo() call: McpCall) {
    const names: unknown[] = [];
    for (const message of ['First?', 'Second?']) {
      const answer = await call.elicit({ message, schema: FORM, key: 'name' });
      names.push(answer.action === 'accept' ? answer.content['name'] : answer.action);
    }
    return { names };
  }

  @Get('roots')
  @McpTool({ name: 'roots', description: 'Needs roots', task: true })
  async roots(@McpCallInfo() call: McpCall) {
    return { roots: await call.listRoots() };
  }

  @Get('required')
  @McpTool({
    name: 'required',
    description: 'Starts its task itself',
    task: { required: true, start: 'route' },
  })
  async required(@McpCallInfo() call: McpCall, @Query('skip') skip?: string) {
    if (skip) return { started: 'not needed' };
    const answer = await call.elicit({ message: 'Who?', schema: FORM });
    const started = await call.startTask();
    return { started, answer };
  }

  @Get('hanging')
  @McpTool({ name: 'hanging', description: 'Starts a task', task: { start: 'route' } })
  async hanging(@McpCallInfo() call: McpCall) {
    call.signal?.addEventListener('abort', () => gate.seen.push('aborted'));
    return { started: await call.startTask() };
  }

  @Get('late')
  @McpTool({ name: 'late', description: 'Starts a task', task: { start: 'route' } })
  async late(@McpCallInfo() call: McpCall) {
    return { started: await call.startTask() };
  }

  @Get('scoped')
  @McpTool({ name: 'scoped', description: 'Needs a scope', task: true, scopes: ['jobs'] })
  scoped() {
    return { secret: 42 };
  }

  @Get('many')
  @McpTool({ name: 'many', description: 'Asks many questions', task: true })
  async many(@McpCallInfo() call: McpCall) {
    for (let i = 0; i < 3; i++) await call.elicit({ message: `${i}`, schema: FORM });
    return { listeners: getEventListeners(call.signal as AbortSignal, 'abort').length };
  }

  @Get('plain')
  @McpTool({ name: 'plain', description: 'Is no task' })
  async plain(@McpCallInfo() call: McpCall) {
    return { started: await call.startTask() };
  }
}

interface ShownTask extends Omit<McpStoredTask, 'owner' | 'tool'> {
  readonly resultType: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

const AUTH: McpAdapterOptions['auth'] = {
  type: 'bearer',
  validate: (token) => ({ id: token.split('-')[0] ?? '', scopes: token.split('-').slice(1) }),
};

@Controller('brief')
class BriefController {
  @Get('ask')
  @McpTool({ name: 'ask', description: 'Asks', task: true })
  ask(@McpCallInfo() call: McpCall) {
    return call.elicit({ message: 'Who?', schema: FORM });
  }
}

@Controller('safe')
class SafeController {
  @Post()
  @McpTool({
    name: 'pay',
    description: 'Pays',
    task: true,
    confirm: true,
    idempotency: true,
    inputSchema: { type: 'object', properties: { ms: { type: 'number' } } },
  })
  pay() {
    return { paid: true };
  }
}

function behindProxy({ rawHeaders }: IncomingMessage, _response: unknown, next: () => void) {
  const host = rawHeaders.findIndex((name) => name.toLowerCase() === 'host');
  rawHeaders[host + 1] = 'api.example.com';
  next();
}

beforeEach(() => {
  gate.seen.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

describe.each(platforms)('tasks, on $name', ({ adapter }) => {
  const records: McpCallRecord[] = [];
  let running: RunningApp;
  const start = (mcp: Partial<McpAdapterOptions> = {}, controller: object = JobsController) =>
    startApp(adapter(), {
      ...controllers(controller),
      mcp: { auth: AUTH, forwardHeaders: ['authorization', 'x-tenant'], ...mcp },
      // As a proxy before several processes: each of them gets the same host.
      main: (app) => void app.use(behindProxy),
    });
  beforeAll(async () => {
    running = await start({ audit: { onCall: (record) => void records.push(record) } });
  });
  afterAll(() => running.close());

  const as = (user: string) => ({
    authorization: `Bearer ${user}`,
    'x-tenant': 'acme',
    host: 'api.example.com',
  });

  async function send(
    method: string,
    params: Record<string, unknown>,
    {
      user = 'ada-jobs',
      app = running,
      extensions = KNOWS_TASKS,
      capabilities = { elicitation: { form: {} } } as Record<string, object>,
    } = {},
  ) {
    const { status, headers, message } = await postModern(app.wire, {
      method,
      params,
      headers: as(user),
      capabilities,
      extensions,
    });
    const result = message.result as unknown as ShownTask;
    return { status, challenge: headers.get('www-authenticate'), error: message.error, result };
  }

  type Where = Parameters<typeof send>[2];

  async function begin(name: string, where?: Where, args = {}): Promise<string> {
    const { result, error } = await send('tools/call', { name, arguments: args }, where);
    expect({ error, type: result?.resultType }).toEqual({ error: undefined, type: 'task' });
    return result.taskId;
  }

  const get = async (taskId: string, where?: Where) =>
    (await send('tasks/get', { taskId }, where)).result;

  async function statusOf(taskId: string, status: string, where?: Where): Promise<ShownTask> {
    let task: ShownTask | undefined;
    await until(async () => {
      task = await get(taskId, where);
      return task?.status === status;
    }, `${taskId} is ${status}`);
    return task as ShownTask;
  }

  it('are polled until the result is there, in the context of the caller', async () => {
    const { result: created } = await send('tools/call', { name: 'work', arguments: {} });
    expect(created).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\da-f-]{36}$/),
      ttlMs: 3_600_000,
      pollIntervalMs: 1_000,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(created).not.toHaveProperty('owner');
    expect(created).not.toHaveProperty('result');
    await until(() => gate.seen.includes('runs'));
    const working = await get(created.taskId);
    expect(working).toMatchObject({ status: 'working', statusMessage: 'Half done' });
    expect(working.resultType).toBe('complete');
    gate.open();
    const done = await statusOf(created.taskId, 'completed');
    expect(JSON.parse(done.result?.content[0]?.text ?? '')).toEqual({
      from: '127.0.0.1',
      tenant: 'acme',
    });
    expect(records.filter(({ name }) => name === 'work')).toMatchObject([
      { outcome: 'ok', status: 200, principal: 'ada' },
    ]);
  });

  it('of failing routes are completed with an error, as the call would be', async () => {
    const id = await begin('work', undefined, { fails: 'No paper' });
    await until(() => gate.seen.includes('runs'));
    gate.open();
    const { result } = await statusOf(id, 'completed');
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/No paper/) }],
    });
  });

  it('that their client has to confirm are completed with the error of the call', async () => {
    const app = await start({ writes: {} }, SafeController);
    const where = { app, capabilities: {} };
    for (const [args, text] of [
      [{ ms: 1 }, /^Nothing was done: "pay" requires confirmation\. .*"confirmation": "/],
      [{ ms: 1, confirmation: 'a' }, /^Nothing was done: the confirmation is for another call\./],
      [{ ms: 'x' }, /^Invalid arguments for "pay": \/ms must be number/],
      [{ ms: 1, idempotencyKey: ' ' }, /^Invalid arguments for "pay": \/idempotencyKey must be /],
    ] as const) {
      const id = await begin('pay', where, args);
      const { result } = await statusOf(id, 'completed', where);
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(text) }],
      });
    }
    await app.close();
  });

  it('fail with the JSON-RPC error that the call would have', async () => {
    const id = await begin('roots');
    const { error } = await statusOf(id, 'failed');
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });

  it.each([
    [{ roots: [{ uri: 'https://example.com' }] }, true, /cannot be used.*uri/i],
    [{ files: [] }, true, /cannot be used.*roots/i],
    [{ roots: [{ uri: 'file:///home' }] }, false, /^{"roots":\[{"uri":"file:\/\/\/home"}\]}$/],
  ])('check answers: %j', async (answer, isError, text) => {
    const where = { capabilities: { roots: {} } };
    const taskId = await begin('roots', where);
    const { inputRequests = {} } = await statusOf(taskId, 'input_required', where);
    const [key = ''] = Object.keys(inputRequests);
    await send('tasks/update', { taskId, inputResponses: { [key]: answer } }, where);
    const { result } = await statusOf(taskId, 'completed', where);
    expect(result).toMatchObject({ isError, content: [{ text: expect.stringMatching(text) }] });
  });

  it('keep no listener for a question that was answered', async () => {
    const taskId = await begin('many');
    for (let i = 1; i <= 3; i++) {
      const key = `elicitation-${i}`;
      await until(async () => key in ((await get(taskId)).inputRequests ?? {}));
      const answer = { action: 'accept', content: { name: 'Ada' } };
      await send('tasks/update', { taskId, inputResponses: { [key]: answer } });
    }
    const { result } = await statusOf(taskId, 'completed');
    expect(result?.content).toMatchObject([{ text: '{"listeners":0}' }]);
  });

  it('end if their client disconnects while they are opened', async () => {
    let add = (): void => undefined;
    let kept: MemoryTasks | undefined;
    let taskId = '';
    const store: McpTaskStore = {
      connect(endpoint) {
        const stored = (kept = new MemoryTasks(endpoint));
        const addNow = stored.add.bind(stored);
        stored.add = async (task) => {
          ({ taskId } = task);
          await new Promise<void>((resolve) => (add = resolve));
          return addNow(task);
        };
        return Promise.resolve(stored);
      },
    };
    const app = await start({ tasks: { store } });
    const leaving = new AbortController();
    const { signal } = leaving;
    const fetching = (url: string, options?: RequestInit) => fetch(url, { ...options, signal });
    const left = postModern(wire(app.endpoint, fetching), {
      method: 'tools/call',
      params: { name: 'hanging', arguments: {} },
      headers: as('ada'),
      extensions: KNOWS_TASKS,
    }).catch(() => 'left');
    await until(() => taskId !== '');
    leaving.abort();
    expect(await left).toBe('left');
    await until(() => gate.seen.includes('aborted'));
    add();
    await until(async () => !['working', undefined].includes((await kept?.read(taskId))?.status));
    await app.close();
  });

  it('are closed by their client: the route sees the caller leave', async () => {
    const id = await begin('work');
    await until(() => gate.seen.includes('runs'));
    expect((await send('tasks/cancel', { taskId: id })).result).toMatchObject({
      resultType: 'complete',
    });
    await until(() => gate.seen.includes('closed') && gate.seen.includes('aborted'));
    expect(await get(id)).toMatchObject({ status: 'cancelled' });
    expect((await send('tasks/cancel', { taskId: id })).error).toBeUndefined();
  });

  it.each(['keyed', 'keyed_late'])(
    'with an idempotency key are stopped by their client, and by a shutdown: %s',
    async (name) => {
      const args = { idempotencyKey: randomUUID() };
      const id = await begin(name, undefined, args);
      await until(() => gate.seen.includes('runs'));
      await send('tasks/cancel', { taskId: id });
      await until(() => gate.seen.includes('aborted'));
      await statusOf(id, 'cancelled');
      let text: string | undefined;
      await until(async () => {
        const plain = { extensions: {} };
        const { result } = await send('tools/call', { name, arguments: args }, plain);
        text = result.result?.content[0]?.text ?? JSON.stringify(result);
        return !text.includes('still running');
      });
      expect(text).toMatch(/outcome of the first call .* is unknown, .* was cancelled/);

      gate.seen.length = 0;
      const app = await start();
      await begin(name, { app }, args);
      await until(() => gate.seen.includes('runs'));
      await app.close();
      await until(() => gate.seen.includes('aborted'));
    },
  );

  it('go on when the client has left the request', async () => {
    const id = await begin('work');
    await until(() => gate.seen.includes('runs'));
    expect(gate.seen).toEqual(['runs']);
    gate.open();
    await statusOf(id, 'completed');
  });

  it('ask the client, with a key for each question', async () => {
    jest.useFakeTimers(fakeOnly('setTimeout'));
    const id = await begin('ask');
    const first = await statusOf(id, 'input_required');
    // The time that the user thinks does not count.
    jest.advanceTimersByTime(PATIENT_MS + 1);
    expect(first.inputRequests).toMatchObject({
      name: { method: 'elicitation/create', params: { message: 'First?' } },
    });
    const update = (inputResponses: unknown) =>
      send('tasks/update', { taskId: id, inputResponses });
    for (const ignored of [{ other: { action: 'accept' } }, { name: 5 }, {}]) await update(ignored);
    expect((await get(id)).inputRequests).toHaveProperty('name');
    await update({ name: { action: 'accept', content: { name: 'Ada' } } });
    await until(async () => 'name-2' in ((await get(id)).inputRequests ?? {}));
    await update({ name: { action: 'accept', content: { name: 'again' } } });
    await update({ 'name-2': { action: 'decline' } });
    const { result } = await statusOf(id, 'completed');
    expect(result?.content[0]?.text).toBe('{"names":["Ada","decline"]}');
  });

  it('are unknown to other principals, and their scopes are checked again', async () => {
    const id = await begin('scoped');
    await statusOf(id, 'completed');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: id, inputResponses: {} };
      const other = await send(method, params, { user: 'grace-jobs' });
      expect(other.error).toMatchObject({ code: -32602 });
      const unknown = await send(method, { taskId: 'none', inputResponses: {} });
      expect(unknown.error).toEqual(other.error);
      expect(unknown.status).toBe(other.status);
    }
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const lost = await send(method, { taskId: id, inputResponses: {} }, { user: 'ada' });
      expect(lost).toMatchObject({
        status: 403,
        challenge: 'Bearer error="insufficient_scope", scope="jobs"',
        error: { code: -32000, message: 'Forbidden: This request requires the scopes jobs' },
      });
    }
    expect((await get(id)).status).toBe('completed');
  });

  it('refuse malformed requests by name, never with 500', async () => {
    for (const params of [{}, { taskId: 5 }, { taskId: null }, { taskId: 'x'.repeat(10_000) }]) {
      const { status, error } = await send('tasks/get', params);
      expect({ params, ok: status < 500, code: error?.code }).toMatchObject({ ok: true });
      expect([-32602, -32020]).toContain(error?.code);
    }
    const id = await begin('ask');
    for (const inputResponses of [null, 5, [], 'text']) {
      expect((await send('tasks/update', { taskId: id, inputResponses })).status).toBeLessThan(500);
    }
    await send('tasks/cancel', { taskId: id });
  });

  it('are for clients that declare them: others get the answer of the call', async () => {
    const plain = { extensions: {} };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await send(method, { taskId: 'a', inputResponses: {} }, plain);
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: KNOWS_TASKS } },
      });
    }
    const listening = { notifications: { taskIds: ['a'] } };
    expect((await send('subscriptions/listen', listening, plain)).error?.code).toBe(-32021);
    const { result } = await send('tools/call', { name: 'scoped', arguments: {} }, plain);
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: '{"secret":42}' }] });
    const session = await connectEra('2025-11-25', running.endpoint, { headers: as('ada-jobs') });
    expect((await session.call('scoped')).content).toEqual([
      { type: 'text', text: '{"secret":42}' },
    ]);
    const required = await session.call('required');
    expect(required).toMatchObject({ isError: true });
    await session.close();
    const refused = await send('tools/call', { name: 'required', arguments: {} }, plain);
    expect(refused).toMatchObject({ status: 400, error: { code: -32021 } });
  });

  it('begin when the route says so, after the rounds of its questions', async () => {
    const call = { name: 'required', arguments: {} };
    const { result: round } = await send('tools/call', call);
    expect(round.resultType).toBe('input_required');
    const { inputRequests, requestState } = round as unknown as Record<string, object>;
    const [key = ''] = Object.keys(inputRequests ?? {});
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
    const { result: created, error } = await send('tools/call', {
      ...call,
      inputResponses,
      requestState,
    });
    expect(error).toBeUndefined();
    expect(created.resultType).toBe('task');
    const { result } = await statusOf(created.taskId, 'completed');
    expect(JSON.parse(result?.content[0]?.text ?? '')).toMatchObject({
      started: true,
      answer: { content: { name: 'Ada' } },
    });
    const skipped = await send('tools/call', { name: 'required', arguments: { skip: 'yes' } });
    expect(skipped.result).toMatchObject({ resultType: 'complete' });
    const plain = await send('tools/call', { name: 'plain', arguments: {} });
    expect(plain.result).toMatchObject({ content: [{ text: '{"started":false}' }] });
  });

  it('show their result after the record is stored, if audit.await asks for that', async () => {
    const stored: unknown[] = [];
    let store!: () => void;
    const storing = new Promise<void>((resolve) => (store = resolve));
    const onCall = async ({ outcome }: McpCallRecord) => {
      stored.push('begins');
      await storing;
      stored.push(outcome);
    };
    const app = await start({ audit: { onCall, await: true } });
    try {
      const id = await begin('scoped', { app });
      await until(() => stored.includes('begins'));
      for (let i = 0; i < 5; i++) expect((await get(id, { app })).status).toBe('working');
      store();
      await statusOf(id, 'completed', { app });
      expect(stored).toEqual(['begins', 'ok']);
    } finally {
      await app.close();
    }
  });

  it('leave a record when the server is shut down, before it is closed', async () => {
    const outcomes: unknown[] = [];
    const app = await start({ audit: { onCall: ({ outcome }) => void outcomes.push(outcome) } });
    await begin('work', { app });
    await until(() => gate.seen.includes('runs'));
    await app.close();
    expect(outcomes).toEqual(['error']);
  });

  it('are limited in number: further calls are answered without one, or refused', async () => {
    const app = await start({ tasks: { max: 1 } });
    try {
      const id = await begin('ask', { app });
      const plain = await send('tools/call', { name: 'scoped', arguments: {} }, { app });
      expect(plain.result).toMatchObject({ resultType: 'complete' });
      expect((await get(id, { app })).status).toBe('input_required');
    } finally {
      await app.close();
    }
  });

  it('are dropped when their time is over, and then no longer run', async () => {
    const app = await start({ tasks: { ttlMs: 200 }, limits: { timeoutMs: 100 } }, BriefController);
    try {
      const id = await begin('ask', { app });
      await until(async () => {
        const { error, result } = await send('tasks/get', { taskId: id }, { app });
        return error?.code === -32602 || result?.status === 'failed';
      });
    } finally {
      await app.close();
    }
  });

  it('are limited for each caller', async () => {
    const app = await start({ tasks: { maxPerCaller: 1 } });
    try {
      await begin('ask', { app });
      const call = { name: 'scoped', arguments: {} };
      expect((await send('tools/call', call, { app })).result.resultType).toBe('complete');
      await begin('scoped', { app, user: 'grace-jobs' });
    } finally {
      await app.close();
    }
  });

  it('get 503 where the store does not answer, and the route does not run', async () => {
    const away = () => Promise.reject(new Error('away'));
    const tasks = { add: away, read: away, write: away, answer: away, cancel: away, close: away };
    const app = await start({ tasks: { store: { connect: () => Promise.resolve(tasks) } } });
    try {
      const taskId = randomUUID();
      const requests: [string, Record<string, unknown>][] = [
        ['tools/call', { name: 'work', arguments: {} }],
        ['tasks/get', { taskId }],
        ['tasks/update', { taskId, inputResponses: {} }],
        ['tasks/cancel', { taskId }],
      ];
      for (const [method, params] of requests) {
        const { status, error } = await send(method, params, { app });
        expect({ method, status, error }).toEqual({
          method,
          status: 503,
          error: {
            code: -32000,
            message: 'Service Unavailable: The task store cannot be reached. Try again',
          },
        });
      }
      expect(gate.seen).toEqual([]);
      // A route that has begun goes on without a task.
      const { result } = await send('tools/call', { name: 'late', arguments: {} }, { app });
      expect(result).toMatchObject({ content: [{ text: '{"started":false}' }] });
    } finally {
      await app.close();
    }
  });
});

describe('options of tasks', () => {
  it.each<[string, Partial<McpAdapterOptions>, RegExp]>([
    [
      'a time-out that is longer than tasks are kept',
      { tasks: { ttlMs: 10 } },
      /tasks are deleted after 10 ms/,
    ],
    [
      'a store without methods',
      { tasks: { store: {} as never } },
      /a store with a connect\(\) method/,
    ],
    ['no time', { tasks: { ttlMs: 0 } }, /tasks\.ttlMs/],
  ])('stop the boot: %s', async (_what, mcp, error) => {
    const platform = platforms[0];
    if (!platform) throw new Error('no platform');
    const boot = startApp(platform.adapter(), {
      ...controllers(JobsController),
      mcp: { auth: AUTH, ...mcp },
    });
    await expect(boot).rejects.toThrow(error);
  });
});
