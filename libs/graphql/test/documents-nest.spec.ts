// Trusted and automatic documents on the sockets of Apollo and Mercurius in @nestjs/graphql.

import { afterEach, describe, expect, it } from '@jest/globals';
import { Int, Query, Resolver, Subscription } from '@nestjs/graphql';
import {
  type ApolloSubscriptionsOptions,
  GraphqlSubscriptionsModule,
  StaleDocumentsError,
} from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { manifestOf, persisted, sha256 } from './support/documents.js';
import { TenantsModule } from './support/feed.js';
import { query } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const COUNT = 'subscription Count { count }';
const HELLO = '{ hello }';

@Resolver()
class Counter {
  @Query(() => String)
  hello() {
    return 'world';
  }

  @Subscription(() => Int)
  async *count() {
    for (const count of [1, 2]) yield Promise.resolve({ count });
  }
}

const apollo = (options: ApolloSubscriptionsOptions) => [
  GraphqlApolloModule.forRoot(),
  apolloModule(),
  GraphqlSubscriptionsModule.forApollo(options),
];

const mercurius = (options: ApolloSubscriptionsOptions) => [
  GraphqlMercuriusModule.forRoot(),
  mercuriusModule(),
  GraphqlSubscriptionsModule.forMercurius(options),
];

const [express, fastify] = platforms;

describe.each([
  ['Apollo on Express', express!, apollo],
  ['Apollo on Fastify', fastify!, apollo],
  ['Mercurius', fastify!, mercurius],
] as const)('sockets of %s', (_name, platform, imports) => {
  async function start(options: ApolloSubscriptionsOptions) {
    const { url } = await serve(
      { imports: [TenantsModule, ...imports(options)], providers: [Counter] },
      platform,
    );
    return { url: `${url}/graphql`, wire: await Wire.connect(`${url}/graphql`) };
  }

  it('execute trusted documents only, while HTTP keeps the rules of its server', async () => {
    const manifest = manifestOf(COUNT);
    const { url, wire } = await start({ documents: 'trusted', manifest });
    wire.subscribe('1', '', { documentId: sha256(COUNT) });
    expect(await wire.events('1', 2)).toEqual([{ count: 1 }, { count: 2 }]);
    wire.subscribe('2', COUNT);
    expect((await wire.answer('2')).payload[0].extensions.code).toBe('DOCUMENT_NOT_TRUSTED');
    expect((await query(url, HELLO)).body).toEqual({ data: { hello: 'world' } });
  });

  it('remember automatic persisted queries', async () => {
    const { wire } = await start({ documents: 'automatic' });
    const extensions = persisted(COUNT);
    wire.subscribe('1', '', { extensions });
    expect((await wire.answer('1')).payload[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    wire.subscribe('2', COUNT, { extensions });
    expect(await wire.events('2', 2)).toEqual([{ count: 1 }, { count: 2 }]);
    wire.subscribe('3', '', { extensions });
    expect(await wire.events('3', 2)).toEqual([{ count: 1 }, { count: 2 }]);
  });

  it('stop the boot if the schema does not accept a document', async () => {
    const started = start({ documents: 'trusted', manifest: manifestOf('{ removed }') });
    await expect(started).rejects.toThrow(StaleDocumentsError);
  });
});
