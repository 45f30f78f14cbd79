// Request-scoped providers of `@nestjs/graphql` get the GraphQL context, also through `container.resolve()`.
// A module without a context factory does not start.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type DynamicModule, Inject, Injectable, Logger, Scope } from '@nestjs/common';
import { Context, CONTEXT, Query, Resolver } from '@nestjs/graphql';
import type { GraphqlContext } from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

afterEach(async () => {
  jest.restoreAllMocks();
  hangUp();
  await closeAll();
});

@Injectable({ scope: Scope.REQUEST })
class Caller {
  constructor(@Inject(CONTEXT) private readonly context: GraphqlContext) {}

  name(): string {
    return String(this.context.req.headers['x-name']);
  }
}

@Resolver()
class Resolved {
  @Query(() => String)
  async resolved(@Context() { container }: GraphqlContext): Promise<string> {
    return (await container.resolve(Caller)).name();
  }
}

@Resolver()
class Injected {
  constructor(private readonly caller: Caller) {}

  @Query(() => String)
  injected(): string {
    return this.caller.name();
  }

  @Query(() => Boolean)
  async same(@Context() { container }: GraphqlContext): Promise<boolean> {
    return (await container.resolve(Caller)) === this.caller;
  }
}

const [express, fastify] = platforms;
const drivers = [
  {
    name: 'Apollo on Express',
    platform: express!,
    own: GraphqlApolloModule.forRoot,
    nest: apolloModule as (more?: object) => DynamicModule,
    sockets: GraphqlSubscriptionsModule.forApollo,
    code: 'GRAPHQL_NO_APOLLO_CONTEXT',
  },
  {
    name: 'Apollo on Fastify',
    platform: fastify!,
    own: GraphqlApolloModule.forRoot,
    nest: apolloModule as (more?: object) => DynamicModule,
    sockets: GraphqlSubscriptionsModule.forApollo,
    code: 'GRAPHQL_NO_APOLLO_CONTEXT',
  },
  {
    name: 'Mercurius',
    platform: fastify!,
    own: GraphqlMercuriusModule.forRoot,
    nest: mercuriusModule as (more?: object) => DynamicModule,
    sockets: GraphqlSubscriptionsModule.forMercurius,
    code: 'GRAPHQL_NO_MERCURIUS_CONTEXT',
  },
];

describe.each(drivers)('$name', ({ platform, own, nest, sockets, code }) => {
  const providers = [Caller, Resolved, Injected];
  const start = (options = {}, more = {}) =>
    serve({ imports: [own(options), nest(more)], providers }, platform);

  it.each(['{ resolved }', '{ resolved injected same }', '{ injected resolved same }'])(
    'gives providers the GraphQL context: %s',
    async (document) => {
      const { url } = await start();
      const { body } = await query(`${url}/graphql`, document, { 'x-name': 'ann' });
      const all = { resolved: 'ann', injected: 'ann', same: true };
      expect(body.errors).toBeUndefined();
      expect(all).toMatchObject(body.data);
    },
  );

  it('gives providers the GraphQL context over sockets', async () => {
    const { url } = await serve(
      { imports: [own(), nest(), sockets({ operations: 'all' })], providers },
      platform,
    );
    const wire = await Wire.connect(`${url}/graphql`, undefined, { headers: { 'x-name': 'ann' } });
    wire.subscribe('1', '{ resolved injected same }');
    expect(await wire.events('1', 1)).toEqual([{ resolved: 'ann', injected: 'ann', same: true }]);
  });

  it('starts only with a context factory', async () => {
    await expect(start({}, { context: undefined })).rejects.toMatchObject({ code });
  });

  it('warns about a path that no GraphQLModule has', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await start({ path: '/shop' }, { path: '/shop' });
    expect(warn).not.toHaveBeenCalled();
    await start({}, { path: '/shop' });
    expect(warn.mock.calls).toEqual([
      [
        'No GraphQLModule serves the path /graphql. GraphQLModule serves /shop. ' +
          "Pass this path: forRoot({ path: '/shop' }).",
      ],
    ]);
  });
});

it('GraphqlApolloModule warns if there is no GraphQLModule', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  await serve({ imports: [GraphqlApolloModule.forRoot()] }, express!);
  expect(warn.mock.calls.join()).toBe(
    'No GraphQLModule serves the path /graphql. Import GraphQLModule.forRoot() of @nestjs/graphql.',
  );
});
