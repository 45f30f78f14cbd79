// Applications without an HTTP server start, serve no GraphQL, and close.
import { describe, expect, it } from '@jest/globals';
import { Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Query, Resolver } from '@nestjs/graphql';
import { Test } from '@nestjs/testing';
import { graphqlHttp, GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { GraphqlApolloModule } from '@fledge/graphql/apollo';
import { GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { feed } from './support/feed.js';
import { apolloModule, mercuriusModule } from './support/nest-graphql.js';

@Resolver()
class Hello {
  @Query(() => String)
  hello(): string {
    return 'world';
  }
}

const modules: readonly [string, () => ModuleMetadata][] = [
  [
    'a mount with subscriptions',
    () => ({
      imports: [
        GraphqlMountModule.forRoot({
          schema: feed().schema,
          subscriptions: true,
          direct: true,
          runtime: graphqlHttp({ eventStreams: true }),
        }),
      ],
    }),
  ],
  [
    'GraphqlSubscriptionsModule',
    () => ({ imports: [GraphqlSubscriptionsModule.forRoot({ schema: feed().schema })] }),
  ],
  [
    'Apollo',
    () => ({
      imports: [
        GraphqlApolloModule.forRoot(),
        apolloModule(),
        GraphqlSubscriptionsModule.forApollo(),
      ],
      providers: [Hello],
    }),
  ],
  [
    'Mercurius',
    () => ({
      imports: [
        GraphqlMercuriusModule.forRoot(),
        mercuriusModule(),
        GraphqlSubscriptionsModule.forMercurius(),
      ],
      providers: [Hello],
    }),
  ],
];

describe.each(modules)('%s', (_name, metadata) => {
  it('starts in TestingModule.init()', async () => {
    const module = await Test.createTestingModule(metadata()).compile();
    expect(await module.init()).toBe(module);
    await module.close();
  });

  it('starts in an application context', async () => {
    @Module(metadata())
    class AppModule {}
    const options = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.createApplicationContext(AppModule, options);
    expect(app.get(AppModule)).toBeInstanceOf(AppModule);
    await app.close();
  });
});
