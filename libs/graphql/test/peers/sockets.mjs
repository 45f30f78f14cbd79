// Boots an application of the built package for each argument, and prints how that ended in a line each.
import 'reflect-metadata';
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

const quiet = { logger: false, abortOnError: false };
for (const name of process.argv.slice(2)) {
  try {
    const imports = [modules[name]()];
    const app = await NestFactory.create({ module: class AppModule {}, imports }, quiet);
    await app.init();
    await app.close();
    console.log('booted');
  } catch (error) {
    console.log(`${error.code}: ${error.message}`);
  }
}
