// Ends operations from outside: by the API, by a tenant that is suspended, by a token that expires.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ContextModule, type RequestContext } from '@fledge/core';
import { RequestRevocations } from '@fledge/core/packages';
import { GraphqlMountModule, type GraphqlMountOptions, GraphqlOperations } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { GraphQLError } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { feed, TenantsModule } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { until } from '../../../test/support/until.js';
import { heard, openStream, type Stream } from './support/streams.js';

const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  await closeAll();
});

/** How long a token is good: longer than a socket takes to open on a busy machine. */
const SOON_MS = 2_000;
const SIGNALLED = 'subscription { signalled { n } }';
const tenantOf = (ctx: RequestContext) => ctx.get('tenant');

/** A JSON Web Token without a valid signature. */
function tokenUntil(exp: number): string {
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: 'ann', exp })}.x`;
}

describe.each(platforms)('operations on $name', (platform) => {
  async function start(subscriptions: GraphqlMountOptions['subscriptions'] = true) {
    const source = feed();
    const { app, url } = await serve(
      {
        imports: [
          TenantsModule,
          ContextModule,
          GraphqlMountModule.forRoot({ schema: source.schema, runtime: yoga(), subscriptions }),
        ],
      },
      platform,
    );
    const operations = app.get(GraphqlOperations, { strict: false });
    const open = async (headers: Record<string, string>) => {
      const stream = await openStream(`${url}/graphql`, SIGNALLED, headers);
      streams.push(stream);
      return stream;
    };
    const wire = async (headers: Record<string, string>) => {
      const opened = await Wire.connect(`${url}/graphql`, {}, { headers });
      opened.subscribe('1', SIGNALLED);
      return opened;
    };
    return { ...source, app, url, operations, open, wire };
  }

  it('end by tenant, over sockets and event streams; those of others continue', async () => {
    const { operations, open, wire, generators } = await start();
    const [a, b] = [{ 'x-tenant-id': 'a' }, { 'x-tenant-id': 'b' }];
    const [wireA, streamA] = [await wire(a), await open(a)];
    await Promise.all([wire(b), open(b)]);
    await until(() => generators.running === 4);
    expect(operations.list().map(({ kind, transport }) => `${kind} ${transport}`)).toEqual(
      expect.arrayContaining(['subscription websocket', 'subscription event-stream']),
    );
    expect(operations.end(({ ctx }) => tenantOf(ctx) === 'a')).toBe(2);
    expect(await wireA.answer('1')).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'SUBSCRIPTION_ENDED' } }],
    });
    await streamA.ended;
    expect(streamA.text()).toMatch(/SUBSCRIPTION_ENDED.*\n[^]*event: complete/);
    await until(() => generators.running === 2);
    expect(generators.aborted).toEqual(['a', 'a']);
    expect(operations.list().map(({ ctx }) => tenantOf(ctx))).toEqual(['b', 'b']);
    // The socket is still there.
    wireA.subscribe('2', SIGNALLED);
    await until(() => generators.running === 3);
  });

  it('end by socket, and with a custom error', async () => {
    const { operations, wire, generators } = await start();
    const first = await wire({ 'x-tenant-id': 'a' });
    await until(() => generators.running === 1);
    const { connection } = operations.list()[0]!;
    await wire({ 'x-tenant-id': 'a' });
    await until(() => generators.running === 2);
    const error = new GraphQLError('Bye', { extensions: { code: 'MOVED' } });
    expect(operations.end((it) => it.connection === connection, error)).toBe(1);
    expect(await first.answer('1')).toMatchObject({
      payload: [{ message: 'Bye', extensions: { code: 'MOVED' } }],
    });
    expect(operations.list()).toHaveLength(1);
  });

  it('end with the sockets of a user', async () => {
    const { operations, url, generators } = await start({
      onConnect: ({ user }, { ctx }) => ctx.set('user', user),
    });
    const [ann, bob] = await Promise.all(
      ['ann', 'bob'].map((user) => Wire.connect(`${url}/graphql`, { user })),
    );
    bob!.subscribe('1', SIGNALLED);
    await until(() => generators.running === 1);
    expect(operations.disconnect(({ ctx }) => ctx?.get('user') === 'ann')).toBe(1);
    expect(await ann!.closed).toMatchObject({ code: 4403 });
    expect(generators.running).toBe(1);
  });

  it('are checked again when a module announces a change', async () => {
    const { app, open, wire, generators } = await start();
    const [suspended, , stream] = [
      await wire({ 'x-tenant-id': 'a' }),
      await wire({ 'x-tenant-id': 'b' }),
      await open({ 'x-tenant-id': 'a' }),
    ];
    await until(() => generators.running === 3);
    app
      .get(RequestRevocations, { strict: false })
      .announce((ctx) =>
        Promise.resolve(tenantOf(ctx) === 'a' ? new GraphQLError('Suspended') : undefined),
      );
    expect(await suspended.answer('1')).toMatchObject({ payload: [{ message: 'Suspended' }] });
    await heard(stream, 'Suspended');
    await until(() => generators.running === 1);
  });

  it('end when the token expires, by each source of the time', async () => {
    const { open, url, generators } = await start({
      onConnect: (params, { ctx }) => {
        if (params['at'] === 'context') ctx.set('expiresAt', new Date(Date.now() + SOON_MS));
        if (params['at'] === 'user') ctx.set('user', { exp: (Date.now() + SOON_MS) / 1_000 });
      },
    });
    const soon = () => `Bearer ${tokenUntil((Date.now() + SOON_MS) / 1_000)}`;
    const byContext = await Wire.connect(`${url}/graphql`, { at: 'context' });
    const byUser = await Wire.connect(`${url}/graphql`, { at: 'user' });
    const byToken = await Wire.connect(`${url}/graphql`, { authorization: soon() });
    const late = tokenUntil(Date.now() / 1_000 + 1e9);
    const notYet = await Wire.connect(`${url}/graphql`, { authorization: `Bearer ${late}` });
    const stream = await open({ authorization: soon() });
    const expiring = [byContext, byUser, byToken];
    for (const wire of [...expiring, notYet]) wire.subscribe('1', SIGNALLED);
    for (const wire of expiring) {
      expect(await wire.answer('1')).toMatchObject({
        type: 'error',
        payload: [{ message: 'The token has expired', extensions: { code: 'UNAUTHENTICATED' } }],
      });
      // Nor does the socket get another subscription for it.
      wire.subscribe('2', SIGNALLED);
      expect(await wire.answer('2')).toMatchObject({
        payload: [{ extensions: { code: 'UNAUTHENTICATED' } }],
      });
    }
    await heard(stream, 'UNAUTHENTICATED');
    await until(() => generators.running === 1);
    expect(notYet.messages.some(({ id }) => id === '1')).toBe(false);
  });

  it.each([
    ['in an hour', new Date(Date.now() + 3_600_000).toISOString(), false],
    ['never', null, false],
    ['an hour ago', new Date(Date.now() - 3_600_000).toISOString(), true],
    ['an invalid Date', new Date('tomorrow'), true],
    ['a text', 'tomorrow', true],
    ['NaN', NaN, true],
    ['an object', {}, true],
  ])('end if expiresAt is past, or not a time: %s', async (_name, expiresAt, isPast) => {
    const { url } = await start({
      operations: 'all',
      onConnect: (_params, { ctx }) => ctx.set('expiresAt', expiresAt),
    });
    const wire = await Wire.connect(`${url}/graphql`);
    wire.subscribe('1', 'subscription { count(to: 1) }');
    expect((await wire.answer('1')).type).toBe(isPast ? 'error' : 'next');
  });

  it('end when a token expires that has no scheme, or a user whose exp is no number', async () => {
    const { url } = await start({
      onConnect: (params, { ctx }) => {
        if (params['user'] === 'text') ctx.set('user', { exp: '2030-01-01' });
      },
    });
    const token = () => tokenUntil((Date.now() + SOON_MS) / 1_000);
    for (const params of [
      { authorization: token() },
      { authorization: `JWT  ${token()}` },
      { authorization: `Bearer ${token()}`, user: 'text' },
    ]) {
      const wire = await Wire.connect(`${url}/graphql`, params);
      wire.subscribe('1', SIGNALLED);
      expect(await wire.answer('1')).toMatchObject({
        payload: [{ message: 'The token has expired', extensions: { code: 'UNAUTHENTICATED' } }],
      });
    }
  });
});
