// Checks running subscriptions again: by time, by call, over sockets and event streams of a mount.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ContextModule, type RequestContext } from '@fledge/core';
import { currentRequestContext, RequestContexts } from '@fledge/core/packages';
import {
  GraphqlMountModule,
  GraphqlOperations,
  type RevalidationOptions,
  type SubscriptionLimits,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { ForbiddenException, Logger, ServiceUnavailableException } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { setTimeout as wait } from 'node:timers/promises';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { heard, openStream, type Stream } from './support/streams.js';

const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  await closeAll();
  jest.restoreAllMocks();
});

const SIGNALLED = 'subscription { signalled { n } }';
const codeOf = (answer: Awaited<ReturnType<Wire['answer']>>) => answer.payload[0].extensions.code;
/** Longer than the time limit of a test: what waits for it fails. */
const HOUR = 3_600_000;
const never = () => new Promise<never>(() => undefined);

describe.each(platforms)('revalidation on $name', (platform) => {
  async function start(
    revalidate: RevalidationOptions | true = true,
    limits: SubscriptionLimits = {},
    { opened }: { opened?: (ctx: RequestContext) => void } = {},
  ) {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const source = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          ContextModule,
          GraphqlMountModule.forRoot({
            schema: source.schema,
            runtime: yoga(),
            subscriptions: { revalidate, ...limits },
          }),
        ],
      },
      platform,
      (it) => {
        const contexts = it.get(RequestContexts, { strict: false });
        if (opened) contexts.register({ open: opened, bind: (ctx) => refuse(ctx) });
      },
    );
    const operations = app.get(GraphqlOperations, { strict: false });
    const open = async (headers: Record<string, string>) => {
      const stream = await openStream(`${url}/graphql`, SIGNALLED, headers);
      streams.push(stream);
      return stream;
    };
    const wire = async (headers: Record<string, string> = {}, query = SIGNALLED) => {
      const opened = await Wire.connect(`${url}/graphql`, {}, { headers });
      opened.subscribe('1', query);
      return opened;
    };
    return { ...source, app, url: `${url}/graphql`, operations, open, wire };
  }

  /** As a tenant module does: keeps the refusal until the request is bound. */
  function refuse(ctx: RequestContext): void {
    const refusal = ctx.get<Error>('refusal');
    if (refusal) throw refusal;
  }

  it('looks users and tenants up anew, over sockets and event streams, and ends what they refuse', async () => {
    const users: Record<string, { id: number } | null> = { ann: { id: 1 }, bob: { id: 2 } };
    const refused = new Set<string>();
    const { operations, open, wire, generators } = await start(
      true,
      {},
      {
        opened: (ctx) => {
          const name = String(ctx.headers.authorization);
          ctx.set('user', users[name]);
          if (refused.has(name)) ctx.set('refusal', new ForbiddenException(`${name} is locked`));
        },
      },
    );
    const as = (authorization: string) => ({ authorization, 'x-tenant-id': 'a' });
    const [annWire, annStream] = [await wire(as('ann')), await open(as('ann'))];
    const [bobWire, bobStream] = [await wire(as('bob')), await open(as('bob'))];
    await until(() => generators.running === 4);
    expect(await operations.revalidate()).toEqual({ valid: 4, ended: 0, failed: 0 });
    // The session of ann is gone; her headers are the same.
    users['ann'] = null;
    expect(await operations.revalidate()).toEqual({ valid: 2, ended: 2, failed: 0 });
    expect(await annWire.answer('1')).toMatchObject({
      type: 'error',
      payload: [{ message: 'The user has changed', extensions: { code: 'UNAUTHENTICATED' } }],
    });
    await annStream.ended;
    expect(annStream.text()).toContain('UNAUTHENTICATED');
    refused.add('bob');
    expect(await operations.revalidate({ user: 2 })).toEqual({ valid: 0, ended: 2, failed: 0 });
    expect(await bobWire.answer('1')).toMatchObject({
      payload: [{ message: 'bob is locked', extensions: { code: 'FORBIDDEN' } }],
    });
    await heard(bobStream, 'bob is locked');
    await until(() => generators.running === 0);
    expect(operations.list()).toEqual([]);
  });

  it('notices a logout after the application has set the user of a running subscription', async () => {
    const users: Record<string, { id: number } | null> = { ann: { id: 1 } };
    const opened = (ctx: RequestContext) => ctx.set('user', users[String(ctx.headers['x-user'])]);
    const { operations, open, wire, generators } = await start(true, {}, { opened });
    await wire({ 'x-user': 'ann' });
    const stream = await open({ 'x-user': 'ann' });
    await until(() => generators.running === 2);
    // Resolvers and guards do this, to add what they have loaded.
    for (const { ctx } of operations.list()) ctx.set('user', { id: 1, profile: 'loaded' });
    expect(await operations.revalidate()).toEqual({ valid: 2, ended: 0, failed: 0 });
    users['ann'] = null;
    expect(await operations.revalidate()).toEqual({ valid: 0, ended: 2, failed: 0 });
    await heard(stream, 'The user has changed');
  });

  it('runs the check of the application in the context of each operation, one at a time', async () => {
    const seen: unknown[] = [];
    let running = 0;
    const { wire, generators } = await start({
      everyMs: 20,
      check: async ({ ctx }) => {
        running += 1;
        seen.push([ctx.get('tenant'), currentRequestContext()?.get('tenant'), running]);
        await wait(30);
        running -= 1;
      },
    });
    await wire({ 'x-tenant-id': 'a' });
    await until(() => generators.running === 1);
    await until(() => seen.length === 5);
    expect(seen).toEqual(Array(5).fill(['a', 'a', 1]));
  });

  it.each<[string, () => boolean | Promise<never>, object]>([
    [
      'returns false',
      () => false,
      { message: 'The subscription is no longer allowed', extensions: { code: 'FORBIDDEN' } },
    ],
    [
      'throws a GraphQLError',
      () => Promise.reject(new GraphQLError('Moved', { extensions: { code: 'MOVED' } })),
      { message: 'Moved', extensions: { code: 'MOVED' } },
    ],
    [
      'throws an HttpException',
      () => Promise.reject(new ForbiddenException('no seat')),
      { message: 'no seat', extensions: { code: 'FORBIDDEN' } },
    ],
  ])('ends an operation whose check %s', async (_, check, error) => {
    const { operations, wire, open, generators } = await start({ check });
    const [one, two] = [await wire(), await open({})];
    await until(() => generators.running === 2);
    expect(await operations.revalidate()).toMatchObject({ ended: 2 });
    expect(await one.answer('1')).toMatchObject({ type: 'error', payload: [error] });
    await two.ended;
    expect(two.text()).toContain((error as { message: string }).message);
    expect(one.messages.filter(({ id }) => id === '1')).toHaveLength(1);
  });

  it.each<[string, () => Promise<never>]>([
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what an application may do
    ['throws a string', () => Promise.reject('secret text')],
    ['throws an Error', () => Promise.reject(new Error('secret text'))],
    [
      'reports a service that is down',
      () => Promise.reject(new ServiceUnavailableException('secret text')),
    ],
    ['hangs', never],
  ])('keeps an operation whose check %s, and ends it after the third time', async (_, check) => {
    const { operations, wire, generators } = await start({ check, timeoutMs: 30 });
    const one = await wire();
    await until(() => generators.running === 1);
    for (const result of [{ failed: 1 }, { failed: 1 }, { failed: 0, ended: 1 }]) {
      expect(await operations.revalidate()).toMatchObject(result);
    }
    expect(await one.answer('1')).toMatchObject({
      payload: [
        {
          message: 'The subscription could not be checked',
          extensions: { code: 'SERVICE_UNAVAILABLE' },
        },
      ],
    });
    const lines = jest
      .mocked(Logger.prototype.warn)
      .mock.calls.filter(([line]) => String(line).includes('could not be revalidated'));
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(one.messages)).not.toContain('secret');
    expect(JSON.stringify(jest.mocked(Logger.prototype.warn).mock.calls)).toMatch(
      /secret text|took more than 30 ms/,
    );
  });

  it('forgets failures after a check that succeeds', async () => {
    let down = true;
    const { operations, wire, generators } = await start({
      check: () => (down ? Promise.reject(new Error('down')) : undefined),
    });
    await wire();
    await until(() => generators.running === 1);
    const results: unknown[] = [];
    for (const now of [true, true, false, true, true]) {
      down = now;
      results.push(await operations.revalidate());
    }
    expect(results).toMatchObject([
      { failed: 1 },
      { failed: 1 },
      { valid: 1 },
      { failed: 1 },
      { failed: 1 },
    ]);
  });

  it('starts no second check of an operation beside one that hangs', async () => {
    let started = 0;
    const { operations, wire, generators } = await start({
      check: () => ((started += 1), never()),
      timeoutMs: 20,
      maxFailures: 100,
    });
    await wire();
    await until(() => generators.running === 1);
    for (let i = 0; i < 5; i += 1)
      expect(await operations.revalidate()).toMatchObject({ failed: 1 });
    expect(started).toBe(1);
  });

  it('checks again for a call during a check, once for several calls', async () => {
    let started = 0;
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { operations, wire, generators } = await start({ check: () => ((started += 1), gate) });
    await wire();
    await until(() => generators.running === 1);
    const first = operations.revalidate();
    await until(() => started === 1);
    const others = [operations.revalidate(), operations.revalidate()];
    release();
    expect(await Promise.all([first, ...others])).toMatchObject(Array(3).fill({ valid: 1 }));
    expect(started).toBe(2);
  });

  it('lets a check end its own operation, and a subscriber leave during a check', async () => {
    const held: { operations?: GraphqlOperations; leaving?: Wire } = {};
    const { operations, wire, generators } = await start({
      check: async ({ connection, ctx }) => {
        if (ctx.get('tenant') === 'self') held.operations?.end({ connection });
        else {
          held.leaving?.vanish();
          await never();
        }
      },
    });
    held.operations = operations;
    const own = await wire({ 'x-tenant-id': 'self' });
    held.leaving = await wire({ 'x-tenant-id': 'leaving' });
    await until(() => generators.running === 2);
    expect(await operations.revalidate()).toEqual({ valid: 0, ended: 2, failed: 0 });
    expect(codeOf(await own.answer('1'))).toBe('SUBSCRIPTION_ENDED');
    expect(operations.list()).toEqual([]);
  });

  it('sends no event after the error, also one in flight', async () => {
    const { operations, wire, publish, listeners } = await start();
    const one = await wire({}, 'subscription { tick { n later } }');
    await until(() => Object.keys(listeners()).length === 1);
    // The field `later` takes its time.
    await publish(1);
    expect(operations.end(() => true)).toBe(1);
    await publish(2);
    await one.answer('1');
    one.subscribe('2', 'subscription { count(to: 3) }');
    await one.message(({ id, type }) => id === '2' && type === 'complete');
    expect(one.messages.filter(({ id }) => id === '1').map(({ type }) => type)).toEqual(['error']);
  });

  it('checks 1,000 operations, a few at a time, and closes at once during the checks', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    let slow = false;
    const { app, operations, url, generators } = await start(
      {
        concurrency: 7,
        timeoutMs: HOUR,
        check: async () => {
          running += 1;
          most = Math.max(most, running);
          if (slow) await never();
          await wait(1);
          running -= 1;
          done += 1;
        },
      },
      { maxSubscriptions: 100 },
    );
    const wires = await Promise.all(Array.from({ length: 10 }, () => Wire.connect(url)));
    for (const wire of wires) {
      for (let i = 0; i < 100; i += 1) wire.subscribe(String(i), SIGNALLED);
    }
    await until(() => generators.running === 1_000);
    expect(await operations.revalidate()).toEqual({ valid: 1_000, ended: 0, failed: 0 });
    expect([done, most]).toEqual([1_000, 7]);
    slow = true;
    const round = operations.revalidate();
    await until(() => running === 7);
    hangUp();
    await app.close();
    expect(await round).toEqual({ valid: 0, ended: 1_000, failed: 0 });
  });

  it('refuses a filter that selects all by accident, and endpoints without the option', async () => {
    const { operations } = await start();
    for (const which of [{}, { user: undefined }, { tenant: null }, { tennant: 'a' }, undefined]) {
      for (const call of ['end', 'disconnect'] as const) {
        expect(() => operations[call](which as never)).toThrow(
          expect.objectContaining({ code: 'GRAPHQL_BAD_OPTION' }),
        );
      }
    }
    await expect(operations.revalidate({})).rejects.toMatchObject({ code: 'GRAPHQL_BAD_OPTION' });

    const without = await start(undefined, { revalidate: undefined } as never);
    await without.wire();
    await until(() => without.generators.running === 1);
    await expect(without.operations.revalidate()).rejects.toMatchObject({
      code: 'GRAPHQL_BAD_OPTION',
      message: expect.stringContaining('does not set the option `revalidate`'),
    });
  });
});
