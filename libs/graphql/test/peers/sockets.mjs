// Boots an application of the built package and prints how that ended.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { buildSchema } from 'graphql';

const typeDefs = 'type Query { hello: String } type Subscription { n: Int }';
const modules = {
  mount: () => GraphqlMountModule.forRoot({ typeDefs }),
  mountWithSubscriptions: () => GraphqlMountModule.forRoot({ typeDefs, subscriptions: true }),
  subscriptions: () => GraphqlSubscriptionsModule.forRoot({ schema: buildSchema(typeDefs) }),
  apollo: () => GraphqlSubscriptionsModule.forApollo(),
};

class AppModule {}
Module({ imports: [modules[process.argv[2]]()] })(AppModule);

try {
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.init();
  await app.close();
  process.stdout.write('booted');
} catch (error) {
  process.stdout.write(`${error.code}: ${error.message}`);
}
