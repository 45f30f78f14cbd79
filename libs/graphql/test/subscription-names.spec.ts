import { afterEach, describe, expect, it } from '@jest/globals';
import { IntrospectionRegistry } from '@fledge/core';
import {
  GraphqlMountModule,
  GraphqlSubscriptionsAdapter,
  GraphqlSubscriptionsModule,
} from '@fledge/graphql';
import { buildSchema } from 'graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const typeDefs = 'type Query { hello: String } type Subscription { tick: Int }';

describe.each(platforms)('several endpoints with sockets on $name', (platform) => {
  it('have unique names, and share one injection token', async () => {
    const { app } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({ typeDefs, subscriptions: true }),
          GraphqlMountModule.forRoot({
            typeDefs,
            subscriptions: true,
            name: 'Shop',
            path: '/shop',
          }),
          GraphqlSubscriptionsModule.forRoot({ schema: buildSchema(typeDefs), path: '/more' }),
        ],
      },
      platform,
    );
    const adapters = app.get(GraphqlSubscriptionsAdapter, {
      strict: false,
      each: true,
    });
    const places = adapters.map((adapter) => {
      const { name, state } = adapter.introspect();
      return `${name} ${state.path}`;
    });
    expect(places.toSorted()).toEqual([
      'GraphqlSubscriptionsAdapter /graphql',
      'GraphqlSubscriptionsAdapter2 /more',
      'ShopSubscriptions /shop',
    ]);
    const snapshots = (await app.get(IntrospectionRegistry, { strict: false }).collect()).adapters;
    const names = snapshots.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
