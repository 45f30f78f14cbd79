// Needs redis-server.
// What each store of tasks does: the memory of a process, and Redis, in which two processes share them.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { McpStoredTask, McpTaskEndpoint, McpTasks } from '../../src/index.js';
import { redisTasks } from '../../src/redis/index.js';
import { MemoryTasks } from '../../src/extensions/tasks/memory-tasks.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const LIMITS = { path: '/_mcp/messages', max: 100, maxPerCaller: 100, ttlMs: 60_000 };

/** A process: its view of the tasks, and what its store reported. */
interface Process {
  readonly tasks: McpTasks;
  readonly seen: unknown[];
}

type Connect = (endpoint: McpTaskEndpoint) => Promise<McpTasks>;

async function processOf(
  connect: Connect,
  limits: Partial<McpTaskEndpoint> = {},
): Promise<Process> {
  const seen: unknown[] = [];
  const receiver = {
    answered: (id: string, answers: object) => void seen.push([id, answers]),
    ended: (id: string) => void seen.push([id, 'ended']),
  };
  return { seen, tasks: await connect({ ...LIMITS, ...limits, receiver }) };
}

function taskOf(changes: Partial<McpStoredTask> = {}): McpStoredTask {
  const now = new Date().toISOString();
  return {
    taskId: randomUUID(),
    owner: 'ada',
    tool: 'import',
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: 60_000,
    pollIntervalMs: 1_000,
    ...changes,
  };
}

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?', required: [] } };
const FAILED = { status: 'failed', error: { code: -1, message: 'No', data: [{}] } } as const;

let port: number;
let stopRedis: () => Promise<void> = () => Promise.resolve();
let direct: Redis;
let prefixes = 0;
const open: McpTasks[] = [];

beforeAll(async () => {
  port = await freePort();
  stopRedis = await startOwnRedis(port);
  direct = new Redis({ port });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((tasks) => tasks.close()));
});
afterAll(async () => {
  direct?.disconnect();
  await stopRedis();
});

/** Connects processes to the tasks of one endpoint. */
function redis(prefix = `test${++prefixes}`, keyPrefix = ''): Connect {
  const client = new Redis({ port, lazyConnect: true, keyPrefix });
  return async (endpoint) => {
    const tasks = await redisTasks({ client, prefix }).connect(endpoint);
    // As a Redis that has been there for a while: an unknown task is unknown at once.
    await direct.set(`{${keyPrefix}${prefix}:tasks:${endpoint.path}}:since`, 0, 'KEEPTTL');
    open.push(tasks);
    return tasks;
  };
}

const memory: Connect = (endpoint) => Promise.resolve(new MemoryTasks(endpoint));

const STORES = [
  { name: 'memory', connectOf: () => memory, isShared: false },
  { name: 'Redis', connectOf: () => redis(), isShared: true },
];

describe.each(STORES)('tasks in $name', ({ connectOf, isShared }) => {
  /** The process that runs tasks, and the one that clients ask: two if the store is shared. */
  async function pair(limits?: Partial<McpTaskEndpoint>): Promise<[Process, Process]> {
    const connect = connectOf();
    const runner = await processOf(connect, limits);
    return [runner, isShared ? await processOf(connect, limits) : runner];
  }

  it('are read as they were written, by any process', async () => {
    const [runner, asked] = await pair();
    const task = taskOf({ statusMessage: 'Row 1 of 2' });
    expect(await runner.tasks.add(task)).toBe(true);
    expect(await asked.tasks.read(task.taskId)).toEqual(task);
    const states: McpStoredTask[] = [
      { ...task, status: 'input_required', inputRequests: { name: QUESTION, [' ü"\n']: QUESTION } },
      { ...task, statusMessage: 'Row 2 of 2 – "ü"\n' },
      { ...task, status: 'completed', result: { content: [], list: {}, n: 1e21, empty: [[]] } },
    ];
    for (const state of states) {
      await runner.tasks.write(state);
      expect(await asked.tasks.read(task.taskId)).toEqual(state);
    }
    const failing = taskOf();
    await runner.tasks.add(failing);
    await runner.tasks.write({ ...failing, ...FAILED });
    expect(await asked.tasks.read(failing.taskId)).toEqual({ ...failing, ...FAILED });
    for (const id of [randomUUID(), '', 'a:b', '__proto__']) {
      expect(await asked.tasks.read(id)).toBeUndefined();
    }
  });

  it('stay as they ended', async () => {
    const [runner, asked] = await pair();
    const task = taskOf();
    await runner.tasks.add(task);
    const done = { ...task, status: 'completed', result: { content: [] } } as const;
    await runner.tasks.write(done);
    await runner.tasks.write(task);
    await asked.tasks.cancel(task.taskId);
    await asked.tasks.answer(task.taskId, { name: {} });
    expect(await asked.tasks.read(task.taskId)).toEqual(done);
    expect(runner.seen.filter((each) => (each as unknown[])[1] !== 'ended')).toEqual([]);
  });

  it('are cancelled once, which the process learns that runs them', async () => {
    const [runner, asked] = await pair();
    const task = taskOf({ status: 'input_required', inputRequests: { name: QUESTION } });
    await runner.tasks.add(task);
    await asked.tasks.cancel(task.taskId);
    await until(() => runner.seen.length > 0);
    expect(runner.seen).toEqual([[task.taskId, 'ended']]);
    await runner.tasks.write({ ...task, status: 'completed', result: {} });
    const cancelled = await asked.tasks.read(task.taskId);
    expect(cancelled).toMatchObject({ taskId: task.taskId, status: 'cancelled' });
    expect(cancelled?.inputRequests).toBeUndefined();
    await asked.tasks.cancel(randomUUID());
  });

  it('get answers where they run, of which the first counts', async () => {
    const [runner, asked] = await pair();
    const task = taskOf({ status: 'input_required', inputRequests: { name: QUESTION } });
    await runner.tasks.add(task);
    const answer = { action: 'accept', content: { name: 'Ada "ü"', list: [] } };
    await asked.tasks.answer(task.taskId, { name: answer });
    await until(() => runner.seen.length > 0);
    expect(runner.seen).toEqual([[task.taskId, { name: answer }]]);
    await asked.tasks.answer(randomUUID(), { name: answer });
    if (!isShared) return;
    await asked.tasks.answer(task.taskId, { name: { action: 'decline' } });
    await until(() => runner.seen.length > 1);
    expect(runner.seen[1]).toEqual(runner.seen[0]);
    expect(asked.seen).toEqual([]);
  });

  it('are as many as their limits, over all processes, however they race', async () => {
    const [first, second] = await pair({ max: 30, maxPerCaller: 10 });
    const added = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const { tasks } = i % 2 === 0 ? first : second;
        const owner = `owner-${i % 5}`;
        return (await tasks.add(taskOf({ owner }))) ? owner : undefined;
      }),
    );
    const owners = added.filter((owner) => owner !== undefined);
    expect(owners).toHaveLength(30);
    for (let i = 0; i < 5; i++) {
      expect(owners.filter((owner) => owner === `owner-${i}`).length).toBeLessThanOrEqual(10);
    }
    const [one] = await pair({ max: 30, maxPerCaller: 10 });
    for (let i = 0; i < 12; i++) expect(await one.tasks.add(taskOf())).toBe(i < 10);
    expect(await one.tasks.add(taskOf({ owner: 'grace' }))).toBe(true);
  });

  it('are dropped when their time is over, and make room', async () => {
    const [runner, asked] = await pair({ max: 1, ttlMs: 3_000 });
    const task = taskOf({ ttlMs: 3_000 });
    expect(await runner.tasks.add(task)).toBe(true);
    expect(await runner.tasks.add(taskOf())).toBe(false);
    await until(async () => (await asked.tasks.read(task.taskId)) === undefined);
    await runner.tasks.write({ ...task, status: 'completed', result: {} });
    expect(await asked.tasks.read(task.taskId)).toBeUndefined();
    expect(await runner.tasks.add(taskOf())).toBe(true);
  });
});

describe('tasks in Redis', () => {
  const baseOf = (prefix: string) => `{${prefix}:tasks:${LIMITS.path}}`;

  it('leave nothing behind when their time is over', async () => {
    const { tasks } = await processOf(redis('gone'), { ttlMs: 3_000 });
    const task = taskOf({ ttlMs: 3_000, status: 'input_required', inputRequests: { a: QUESTION } });
    await tasks.add(task);
    await tasks.answer(task.taskId, { a: {} });
    const keys = () => direct.keys(`${baseOf('gone')}:*`);
    for (const key of await keys()) expect([key, await direct.pttl(key)]).not.toEqual([key, -1]);
    expect(await keys()).toContain(`${baseOf('gone')}:answers:${task.taskId}`);
    const ending = taskOf({ ...task, taskId: randomUUID() });
    await tasks.add(ending);
    await tasks.answer(ending.taskId, { a: {} });
    await tasks.cancel(ending.taskId);
    expect(await keys()).not.toContain(`${baseOf('gone')}:answers:${ending.taskId}`);
    await until(async () => !(await keys()).some((key) => key.includes(task.taskId)));
  });

  it('of clients with different key prefixes are separate', async () => {
    const [one, two] = [redis('shared', 'app1:'), redis('shared', 'app2:')];
    const task = taskOf();
    await (await processOf(one)).tasks.add(task);
    expect(await (await processOf(two)).tasks.read(task.taskId)).toBeUndefined();
    expect(await (await processOf(one)).tasks.read(task.taskId)).toBeDefined();
  });

  it('of one endpoint are unknown at another', async () => {
    const connect = redis();
    const [one, other] = [
      await processOf(connect),
      await processOf(connect, { path: '/other', max: 1 }),
    ];
    const task = taskOf();
    await one.tasks.add(task);
    expect(await other.tasks.read(task.taskId)).toBeUndefined();
    await other.tasks.cancel(task.taskId);
    expect(await one.tasks.read(task.taskId)).toEqual(task);
    expect(await other.tasks.add(taskOf())).toBe(true);
  });

  it('fail when their process is taken for dead, and it learns that', async () => {
    const connect = redis('dead');
    const [lost, other] = [await processOf(connect), await processOf(connect)];
    const task = taskOf({ statusMessage: 'Row 7' });
    await lost.tasks.add(task);
    const [process] = (await direct.keys(`${baseOf('dead')}:process:*`)).map(
      (key) => key.split(':').at(-1) ?? '',
    );
    await direct.zadd(`${baseOf('dead')}:processes`, 1, process ?? '');
    await until(async () => {
      // It lives, but its heartbeats count as lost until another process has noticed.
      await direct.zadd(`${baseOf('dead')}:processes`, 'XX', 1, process ?? '');
      return (await other.tasks.read(task.taskId))?.status === 'failed';
    });
    expect(await other.tasks.read(task.taskId)).toMatchObject({
      statusMessage: 'Row 7',
      error: { code: -32603, message: 'The process that ran this task has ended' },
    });
    await until(() => lost.seen.length > 0);
    expect(lost.seen).toEqual([[task.taskId, 'ended']]);
    await lost.tasks.write({ ...task, status: 'completed', result: {} });
    expect((await other.tasks.read(task.taskId))?.status).toBe('failed');
  });

  it('fail when their process leaves', async () => {
    const connect = redis();
    const [leaving, other] = [await processOf(connect), await processOf(connect)];
    const task = taskOf();
    await leaving.tasks.add(task);
    await leaving.tasks.close();
    open.splice(open.indexOf(leaving.tasks), 1);
    expect((await other.tasks.read(task.taskId))?.status).toBe('failed');
    await expect(leaving.tasks.read(task.taskId)).rejects.toThrow();
  });

  it('that Redis loses are put back by the processes that run them', async () => {
    const connect = redis('lost');
    const [runner, other] = [await processOf(connect), await processOf(connect)];
    const [running, ending] = [taskOf(), taskOf()];
    await runner.tasks.add(running);
    await runner.tasks.add(ending);
    const done = { ...ending, status: 'completed', result: { content: [] } } as const;
    await direct.flushall();
    // Meanwhile nothing is known, which is not the same as unknown.
    await expect(other.tasks.read(running.taskId)).rejects.toThrow('Redis lost the tasks');
    await runner.tasks.write(done);
    await until(async () => {
      const found = await other.tasks.read(running.taskId).catch(() => undefined);
      return found?.status === 'working';
    });
    expect(await other.tasks.read(ending.taskId)).toEqual(done);
    await other.tasks.cancel(running.taskId);
    await until(() => runner.seen.length > 0);
  });

  it('that Redis adds after their process gave up are dropped', async () => {
    const { tasks } = await processOf(redis('late'));
    const [task, late] = [taskOf(), taskOf()];
    await tasks.add(task);
    await direct.call('CLIENT', 'PAUSE', 2_500, 'WRITE');
    await expect(tasks.add(late)).rejects.toThrow('timed out');
    // A counter that waits as the task does: once it is written, the task was added, too.
    await direct.incr('late');
    await until(async () => (await direct.exists(`${baseOf('late')}:task:${late.taskId}`)) === 0);
    expect(await direct.zrange(`${baseOf('late')}:all`, 0, -1)).toEqual([task.taskId]);
    expect(await tasks.read(task.taskId)).toEqual(task);
  });

  it('get what was said while their process was cut off', async () => {
    const connect = redis();
    const [runner, asked] = [await processOf(connect), await processOf(connect)];
    const task = taskOf({ status: 'input_required', inputRequests: { name: QUESTION } });
    const cancelled = taskOf();
    await runner.tasks.add(task);
    await runner.tasks.add(cancelled);
    const answer = { action: 'decline' };
    await direct.client('KILL', 'TYPE', 'pubsub');
    await asked.tasks.answer(task.taskId, { name: answer });
    await asked.tasks.cancel(cancelled.taskId);
    await until(() => runner.seen.length > 1);
    expect(new Set(runner.seen)).toEqual(
      new Set([
        [task.taskId, { name: answer }],
        [cancelled.taskId, 'ended'],
      ]),
    );
  });

  it('survive what others write to Redis', async () => {
    const { tasks, seen } = await processOf(redis('bad'));
    const base = baseOf('bad');
    const task = taskOf({ status: 'input_required', inputRequests: { a: QUESTION } });
    await tasks.add(task);
    const key = `${base}:task:${task.taskId}`;
    const good = await direct.hgetall(key);
    for (const bad of [
      { fixed: '{' },
      { fixed: '[]' },
      { fixed: '{"ttlMs":"1"}' },
      { status: 'dancing' },
      { status: 'completed' },
      { detail: 'null' },
      { detail: '{"inputRequests":[]}' },
    ]) {
      await direct.hset(key, bad);
      expect([bad, await tasks.read(task.taskId)]).toEqual([bad, undefined]);
      await direct.hset(key, good);
    }
    const [process = ''] = await direct.keys(`${base}:process:*`);
    const channel = `${base}:${process.split(':').at(-1)}`;
    await direct.hset(`${base}:answers:${task.taskId}`, 'a', '{', 'b', '5', 'c', '[]');
    for (const text of ['', '{', 'null', '{"id":5}', `{"id":"${task.taskId}","kind":"x"}`]) {
      expect(await direct.publish(channel, text)).toBe(1);
    }
    await direct.publish(channel, JSON.stringify({ id: task.taskId, kind: 'answered' }));
    await until(() => seen.length > 0);
    expect(seen).toEqual([[task.taskId, {}]]);
    await direct.set(key, 'text');
    await expect(tasks.read(task.taskId)).rejects.toThrow('WRONGTYPE');
    await expect(tasks.cancel(task.taskId)).rejects.toThrow('WRONGTYPE');
    await tasks.write({ ...task, status: 'working', inputRequests: undefined });
    await direct.del(key);
    // Redis takes the latest state once it can.
    await until(async () => (await tasks.read(task.taskId))?.status === 'working');
  });
});

describe('a Redis user without permission for the channels', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is reported, and does not connect again and again', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const prefix = `test${++prefixes}`;
    await direct.acl('SETUSER', 'mute', 'on', 'nopass', '+@all', '~*', 'resetchannels');
    const connected = async () =>
      Number(/total_connections_received:(\d+)/.exec(await direct.info('stats'))?.[1]);
    const client = new Redis({ port, lazyConnect: true, username: 'mute', password: 'any' });
    const before = await connected();
    const endpoint = { ...LIMITS, receiver: { answered: () => undefined, ended: () => undefined } };
    const tasks = await redisTasks({ client, prefix }).connect(endpoint);
    open.push(tasks);
    expect((await connected()) - before).toBe(2);
    const channel = `{${prefix}:tasks:${LIMITS.path}}`;
    expect(warn.mock.calls.flat()).toContainEqual(
      expect.stringMatching(/^Redis rejected the subscription for tasks.*NOPERM/),
    );
    expect(String(warn.mock.calls)).toContain(`ACL SETUSER <user> &${channel}*`);
    await direct.acl('SETUSER', 'mute', `&${channel}*`);
    await until(async () => Number((await direct.pubsub('NUMSUB', channel))[1]) === 1);
  });
});
