// `{ hello }` and a list of 50 objects over GraphQL. Arguments: what serves it, then the platform (Express | Fastify).
// `mount`: GraphqlMountModule with context, container, tenant and counts; `mount-alone`: without a tenant;
// `mount-direct`: that ahead of the platform. `apollo`: @nestjs/apollo with context, container, tenant and counts;
// `apollo-alone`: without any of it. `mercurius` and `mercurius-jit`: @nestjs/mercurius without any of it, and with
// its own compiler. `graphql-http` and `yoga`: that runtime as middleware of a Nest application, and nothing
// else. `bare`: graphql-http on node:http.
import 'reflect-metadata';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import {
  type DynamicModule,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { GraphqlMountModule } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';
import { TenantModule } from '@fledge/tenant';
import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { createHandler as expressHandler } from 'graphql-http/lib/use/express';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen, platformAdapter } from './platform.js';
import { GRAPHQL_TASKS } from '../graphql-tasks.js';
import { report } from './report.js';

const typeDefs = `
  type Query { hello: String! tasks: [Task!]! }
  type Task { id: ID! title: String! status: String! assignee: User! tags: [Tag!]! }
  type User { id: ID! name: String! }
  type Tag { name: String! }
`;
const rootValue = { hello: () => 'world', tasks: () => GRAPHQL_TASKS };
const tenants = () => TenantModule.forRoot({ strategy: 'header' });

@Resolver()
class HelloResolver {
  @Query()
  hello() {
    return 'world';
  }

  @Query()
  tasks() {
    return GRAPHQL_TASKS;
  }
}

/** A Nest application whose only middleware is a handler. */
function middlewareOf(handler: (...args: never[]) => unknown): Type {
  @Module({})
  class HandlerModule implements NestModule {
    configure(consumer: MiddlewareConsumer) {
      consumer.apply(handler as never).forRoutes('graphql');
    }
  }
  return HandlerModule;
}

const modules: Record<string, () => (Type | DynamicModule)[]> = {
  // As in production, where the explorer is off.
  mount: () => [tenants(), GraphqlMountModule.forRoot({ typeDefs, rootValue, explorer: false })],
  'mount-alone': () => [GraphqlMountModule.forRoot({ typeDefs, rootValue, explorer: false })],
  'mount-direct': () => [
    GraphqlMountModule.forRoot({ typeDefs, rootValue, direct: true, explorer: false }),
  ],
  mercurius: () => [
    GraphQLModule.forRoot<MercuriusDriverConfig>({ driver: MercuriusDriver, typeDefs }),
  ],
  'mercurius-jit': () => [
    GraphQLModule.forRoot<MercuriusDriverConfig>({ driver: MercuriusDriver, typeDefs, jit: 1 }),
  ],
  'apollo-alone': () => [
    GraphQLModule.forRoot<ApolloDriverConfig>({ driver: ApolloDriver, typeDefs }),
  ],
  apollo: () => [
    tenants(),
    GraphqlApolloModule.forRoot({ explorer: false }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      typeDefs,
      context: GraphqlContextFactory.create,
      plugins: [GraphqlContextFactory.metricsPlugin()],
    }),
  ],
  'graphql-http': () => [
    middlewareOf(expressHandler({ schema: buildSchema(typeDefs), rootValue })),
  ],
  yoga: () => {
    const schema = createSchema({ typeDefs, resolvers: { Query: rootValue } });
    return [middlewareOf(createYoga({ schema, logging: false }))];
  },
};

const [served = '', platform] = process.argv.slice(2);
report(served === 'bare' ? await bare() : await nest());

async function nest(): Promise<number> {
  const imports = modules[served];
  if (imports === undefined) throw new Error(`Nothing is served by ${served}`);

  @Module({ imports: imports(), providers: [HelloResolver] })
  class AppModule {}

  const logger: ['error', 'warn'] = ['error', 'warn'];
  return listen(await NestFactory.create(AppModule, platformAdapter(platform), { logger }));
}

async function bare(): Promise<number> {
  const server = createServer(createHandler({ schema: buildSchema(typeDefs), rootValue }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
