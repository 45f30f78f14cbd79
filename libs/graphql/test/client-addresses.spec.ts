// Limits by the address of the client, and the address that guards and resolvers read: over event streams and
// sockets, with and without a proxy that the platform trusts.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  type INestApplication,
  UseGuards,
} from '@nestjs/common';
import { Context, GqlExecutionContext, Query, Resolver, Subscription } from '@nestjs/graphql';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  type GraphqlRuntime,
  GraphqlSubscriptionsModule,
  type SubscriptionLimits,
} from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { feed } from './support/feed.js';
import { query } from './support/requests.js';
import { hangUp, upgrade, Wire } from './support/sockets.js';
import { openStream, type Stream } from './support/streams.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  seen.clear();
  await closeAll();
});

interface Proxied {
  readonly platform: Platform;
  readonly trust: (app: INestApplication) => void;
}

const [express] = platforms;
/** The platforms behind one proxy, which they trust. */
const proxied: readonly Proxied[] = [
  {
    platform: express!,
    trust: (app) => (app as NestExpressApplication).set('trust proxy', 'loopback'),
  },
  {
    platform: { name: 'Fastify', adapter: () => new FastifyAdapter({ trustProxy: 'loopback' }) },
    trust: () => undefined,
  },
];

const runtimes: readonly [string, () => GraphqlRuntime][] = [
  ['graphqlHttp', () => graphqlHttp({ eventStreams: true })],
  ['yoga', () => yoga()],
];
const SIGNALLED = 'subscription { signalled { n } }';
const from = (address: string) => ({ 'x-forwarded-for': address });

async function start(
  { platform, trust }: Proxied,
  subscriptions: SubscriptionLimits,
  runtime: GraphqlRuntime = graphqlHttp({ eventStreams: true }),
) {
  const { schema, generators } = feed();
  const { url } = await serve(
    { imports: [GraphqlMountModule.forRoot({ schema, runtime, subscriptions })] },
    platform,
    trust,
  );
  const open = async (headers: Record<string, string> = {}) => {
    const stream = await openStream(`${url}/graphql`, SIGNALLED, headers);
    streams.push(stream);
    return stream;
  };
  return { url: `${url}/graphql`, open, generators };
}

const direct = platforms.map((platform) => ({ platform, trust: () => undefined }));

describe.each(direct)('limits by address on $platform.name', (at) => {
  it.each(runtimes)('count event streams of %s whose clients invent headers', async (_, make) => {
    const { open, generators } = await start(at, { maxPerAddress: 3 }, make());
    for (const n of [1, 2, 3]) await open({ ...from(`10.0.0.${n}`), authorization: `Bearer ${n}` });
    await until(() => generators.running === 3);
    const fourth = await open({ ...from('10.0.0.4'), cookie: 'session=4' });
    await fourth.ended;
    expect(fourth.text()).toContain('Too many subscriptions');
    streams[0]!.leave();
    await until(() => generators.running === 2);
    await open(from('10.0.0.5'));
    await until(() => generators.running === 3);
  });

  it('count sockets, and refuse those above the limit with 429', async () => {
    const { url } = await start(at, { maxPerAddress: 2 });
    const [first] = [await Wire.connect(url), await Wire.connect(url)];
    expect(await upgrade(url, from('10.0.0.1'))).toMatchObject({ status: 429 });
    first.vanish();
    await until(async () => ((await upgrade(url)) as { status: number }).status === 101);
  });

  it('count operations of sockets and event streams together', async () => {
    const { url, open, generators } = await start(at, { maxPerAddress: 2 });
    const wire = await Wire.connect(url);
    wire.subscribe('1', SIGNALLED);
    await open();
    await until(() => generators.running === 2);
    wire.subscribe('2', SIGNALLED);
    const other = await Wire.connect(url);
    other.subscribe('3', SIGNALLED);
    for (const answer of [await wire.answer('2'), await other.answer('3')]) {
      expect(answer).toMatchObject({
        type: 'error',
        payload: [{ message: 'Too many subscriptions' }],
      });
    }
    wire.complete('1');
    await until(() => generators.running === 1);
    wire.subscribe('4', SIGNALLED);
    await until(() => generators.running === 2);
  });
});

describe.each(proxied)('behind a trusted proxy on $platform.name', (at) => {
  it('each visitor has a share of event streams', async () => {
    const { open, generators } = await start(at, { maxPerAddress: 1 });
    await open(from('203.0.113.1'));
    // What a visitor puts in front does not change the address that the proxy adds.
    const second = await open(from('198.51.100.7, 203.0.113.1'));
    await second.ended;
    expect(second.text()).toContain('Too many subscriptions');
    await open(from('203.0.113.2'));
    await until(() => generators.running === 2);
  });

  it('each visitor has a share of event streams that Yoga chooses for direct operations', async () => {
    const { schema } = feed();
    const runtime = yoga();
    const subscriptions = { maxPerAddress: 1 };
    const mount = GraphqlMountModule.forRoot({ schema, runtime, subscriptions, direct: true });
    const { url } = await serve({ imports: [mount] }, at.platform, at.trust);
    const client = new AbortController();
    const subscribe = async (address: string) => {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from(address) },
        body: JSON.stringify({ query: SIGNALLED }),
        signal: client.signal,
      });
      return new TextDecoder().decode((await answer.body!.getReader().read()).value);
    };
    expect(await subscribe('203.0.113.1')).toBe(':\n\n');
    expect(await subscribe('203.0.113.2')).toBe(':\n\n');
    expect(await subscribe('203.0.113.1')).toContain('Too many subscriptions');
    client.abort();
  });

  it('each visitor has a share of sockets, and the endpoint has a limit', async () => {
    const { url } = await start(at, { maxPerAddress: 1, maxPerEndpoint: 2 });
    await Wire.connect(url, undefined, { headers: from('203.0.113.1') });
    expect(await upgrade(url, from('203.0.113.1'))).toMatchObject({ status: 429 });
    await Wire.connect(url, undefined, { headers: from('203.0.113.2') });
    expect(await upgrade(url, from('203.0.113.3'))).toMatchObject({ status: 503 });
  });

  it('a visitor with IPv6 has one share for its whole network', async () => {
    const { url } = await start(at, { maxPerAddress: 1 });
    await Wire.connect(url, undefined, { headers: from('2001:db8:1:2::1') });
    expect(await upgrade(url, from('2001:db8:1:2:ffff::2'))).toMatchObject({ status: 429 });
    expect(await upgrade(url, from('2001:db8:1:3::1'))).toMatchObject({ status: 101 });
  });
});

const seen = new Set<unknown>();

/** Does what ThrottlerGuard of @nestjs/throttler does, which Jest cannot load, with a limit of one. */
class OncePerAddress implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { req, res } = GqlExecutionContext.create(execution).getContext<GraphqlContext>();
    (res as unknown as { header(name: string, value: unknown): void }).header(
      'X-RateLimit-Limit',
      1,
    );
    if (seen.has(req['ip'])) throw new HttpException('Too Many Requests', 429);
    seen.add(req['ip']);
    return true;
  }
}

const ipOf = ({ ctx }: GraphqlContext) => String(ctx.req['ip']);

@UseGuards(OncePerAddress)
@Resolver()
class Addresses {
  @Query(() => String)
  ip(@Context() context: GraphqlContext): string {
    return ipOf(context);
  }

  @Subscription(() => String)
  async *ips(@Context() context: GraphqlContext) {
    yield await Promise.resolve({ ips: ipOf(context) });
  }
}

const apollo = () => [
  GraphqlApolloModule.forRoot(),
  apolloModule(),
  GraphqlSubscriptionsModule.forApollo(),
];
const mercurius = () => [
  GraphqlMercuriusModule.forRoot(),
  mercuriusModule(),
  GraphqlSubscriptionsModule.forMercurius(),
];
const [onExpress, onFastify] = proxied;
const throttled = [
  { name: 'forApollo() on Express', imports: apollo, at: onExpress! },
  { name: 'forApollo() on Fastify', imports: apollo, at: onFastify! },
  { name: 'forMercurius() on Fastify', imports: mercurius, at: onFastify! },
];

describe.each(throttled)('a throttler of $name', ({ imports, at: { platform, trust } }) => {
  it('counts the clients of sockets one by one', async () => {
    const { url } = await serve({ imports: imports(), providers: [Addresses] }, platform, trust);
    const subscribeFrom = async (address: string) => {
      const wire = await Wire.connect(`${url}/graphql`, undefined, { headers: from(address) });
      wire.subscribe('1', 'subscription { ips }');
      const { payload } = await wire.answer('1');
      return payload as unknown;
    };
    expect(await subscribeFrom('203.0.113.1')).toEqual({ data: { ips: '203.0.113.1' } });
    expect(await subscribeFrom('203.0.113.2')).toEqual({ data: { ips: '203.0.113.2' } });
    expect(JSON.stringify(await subscribeFrom('203.0.113.1'))).toContain('Too Many Requests');
  });
});

describe.each(proxied)('ctx.req.ip of a mount on $platform.name', ({ platform, trust }) => {
  it('is the same over HTTP, event streams and sockets', async () => {
    const ips = async function* (_args: object, context: GraphqlContext) {
      yield await Promise.resolve({ ips: ipOf(context) });
    };
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { ip: String } type Subscription { ips: String }',
            rootValue: { ip: (_args: object, context: GraphqlContext) => ipOf(context), ips },
            runtime: graphqlHttp({ eventStreams: true }),
            subscriptions: true,
          }),
        ],
      },
      platform,
      trust,
    );
    const headers = from('203.0.113.9');
    const { body } = await query(`${url}/graphql`, '{ ip }', headers);
    expect(body).toEqual({ data: { ip: '203.0.113.9' } });
    const stream = await openStream(`${url}/graphql`, 'subscription { ips }', headers);
    await stream.ended;
    expect(stream.text()).toContain('{"ips":"203.0.113.9"}');
    const wire = await Wire.connect(`${url}/graphql`, undefined, { headers });
    wire.subscribe('1', 'subscription { ips }');
    expect(await wire.events('1', 1)).toEqual([{ ips: '203.0.113.9' }]);
  });
});
