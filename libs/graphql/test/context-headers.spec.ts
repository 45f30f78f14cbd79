// Guards tell sockets from HTTP by `context.headers`, which Nest's own contexts have for sockets only.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  UseGuards,
} from '@nestjs/common';
import { Context, GqlExecutionContext, Query, Resolver, Subscription } from '@nestjs/graphql';
import {
  type GraphqlContext,
  graphqlHttp,
  GraphqlMountModule,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { closeAll, type Platform, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { openStream } from './support/streams.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

/** What applications write to find the request of both transports. */
function requestOf(context: GraphqlContext): { headers: object; user?: unknown } {
  const { req, headers } = context;
  return headers ? { headers } : req;
}

const loginOf = (context: GraphqlContext) => {
  const { user, headers } = requestOf(context);
  return `${String(user)} ${String((headers as Record<string, unknown>)['x-login'])} ${'headers' in context}`;
};

class LoginGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = requestOf(GqlExecutionContext.create(execution).getContext<GraphqlContext>());
    request.user = 'ann';
    return true;
  }
}

@UseGuards(LoginGuard)
@Resolver()
class Logins {
  @Query(() => String)
  login(@Context() context: GraphqlContext): string {
    return loginOf(context);
  }

  @Subscription(() => String)
  async *logins(@Context() context: GraphqlContext) {
    yield await Promise.resolve({ logins: loginOf(context) });
  }
}

const apollo: ModuleMetadata = {
  imports: [
    GraphqlApolloModule.forRoot(),
    apolloModule(),
    GraphqlSubscriptionsModule.forApollo({ revalidate: true }),
  ],
  providers: [Logins],
};
const mercurius: ModuleMetadata = {
  imports: [
    GraphqlMercuriusModule.forRoot(),
    mercuriusModule(),
    GraphqlSubscriptionsModule.forMercurius(),
  ],
  providers: [Logins],
};
const [express, fastify] = platforms;
const cases: readonly { name: string; module: ModuleMetadata; platform: Platform }[] = [
  { name: 'Apollo on Express', module: apollo, platform: express! },
  { name: 'Apollo on Fastify', module: apollo, platform: fastify! },
  { name: 'Mercurius on Fastify', module: mercurius, platform: fastify! },
];

const headers = { 'x-login': 'cookie' };

describe.each(cases)('context.headers of $name', ({ module, platform }) => {
  it('exists for sockets only, so that guards find the request of each transport', async () => {
    const { url } = await serve(module, platform);
    const { body } = await query(`${url}/graphql`, '{ login }', headers);
    expect(body).toEqual({ data: { login: 'ann cookie false' } });
    const wire = await Wire.connect(`${url}/graphql`, undefined, { headers });
    wire.subscribe('1', 'subscription { logins }');
    expect(await wire.events('1', 1)).toEqual([{ logins: 'undefined cookie true' }]);
  });
});

describe.each(platforms)('context.headers of a mount on $name', (platform) => {
  it('exists for sockets only', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { login: String } type Subscription { logins: String }',
            rootValue: {
              login: (_args: object, context: GraphqlContext) => loginOf(context),
              async *logins(_args: object, context: GraphqlContext) {
                yield await Promise.resolve({ logins: loginOf(context) });
              },
            },
            runtime: graphqlHttp({ eventStreams: true }),
            subscriptions: true,
          }),
        ],
      },
      platform,
    );
    const { body } = await query(`${url}/graphql`, '{ login }', headers);
    expect(body).toEqual({ data: { login: 'undefined cookie false' } });
    const stream = await openStream(`${url}/graphql`, 'subscription { logins }', headers);
    await stream.ended;
    expect(stream.text()).toContain('"undefined cookie false"');
    const wire = await Wire.connect(`${url}/graphql`, undefined, { headers });
    wire.subscribe('1', 'subscription { logins }');
    expect(await wire.events('1', 1)).toEqual([{ logins: 'undefined cookie true' }]);
  });
});
