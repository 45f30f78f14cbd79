// NestJS 11 does not call `beforeClose` of its adapter, so the first step of a closing application is `onModuleDestroy`.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Query, Resolver, Subscription } from '@nestjs/graphql';
import { graphqlHttp, GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';
import { feed } from './support/feed.js';
import { hangUp, Wire } from './support/sockets.js';
import { openStream, type Stream } from './support/streams.js';
import { apolloModule } from './support/nest-graphql.js';

const streams: Stream[] = [];

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  hangUp();
  await closeAll();
});

/** Removes the step that NestJS 11 does not have. */
function withoutBeforeClose(app: INestApplication): void {
  Object.defineProperty(app.getHttpAdapter(), 'beforeClose', { value: undefined });
}

@Resolver()
class Ticks {
  @Query(() => String)
  hello(): string {
    return 'world';
  }

  @Subscription(() => String)
  async *ticks() {
    yield await Promise.resolve({ ticks: 'first' });
    await new Promise(() => undefined);
  }
}

const apollo = () => [GraphqlApolloModule.forRoot(), apolloModule()];

describe.each(platforms)('closing without beforeClose on $name', (platform) => {
  const start = async (module: ModuleMetadata) => {
    const { app, url } = await serve(module, platform);
    withoutBeforeClose(app);
    return { app, url: `${url}/graphql` };
  };

  it.each([
    ['graphqlHttp()', () => graphqlHttp({ eventStreams: true })],
    ['yoga()', () => yoga()],
  ])('ends open event streams of %s', async (_name, make) => {
    const { schema, generators } = feed();
    const mount = GraphqlMountModule.forRoot({
      schema,
      runtime: make(),
      path: '/streams',
      name: 'Streams',
    });
    // With Apollo, which waits for open responses when its module is destroyed.
    for (const imports of [[mount], [...apollo(), mount], [mount, ...apollo()]]) {
      const { app, url } = await start({ imports, providers: [Ticks] });
      const at = url.replace('/graphql', '/streams');
      const stream = await openStream(at, 'subscription { signalled { n } }');
      streams.push(stream);
      await until(() => generators.running === 1);
      await app.close();
      await stream.ended;
      expect(stream.text()).toContain('event: complete');
      await until(() => generators.running === 0);
    }
  });

  it('closes sockets of a mount and of forApollo() with 1001', async () => {
    const { schema } = feed();
    const mount = GraphqlMountModule.forRoot({
      schema,
      path: '/streams',
      name: 'Streams',
      subscriptions: true,
    });
    const sockets = GraphqlSubscriptionsModule.forApollo();
    for (const imports of [
      [mount, ...apollo(), sockets],
      [sockets, ...apollo(), mount],
    ]) {
      const { app, url } = await start({ imports, providers: [Ticks] });
      const wires = [
        await Wire.connect(url),
        await Wire.connect(url.replace('/graphql', '/streams')),
      ];
      wires[0]!.subscribe('1', 'subscription { ticks }');
      await wires[0]!.events('1', 1);
      await app.close();
      for (const wire of wires) {
        expect(await wire.closed).toEqual({ code: 1001, reason: 'Going away' });
      }
    }
  });
});
