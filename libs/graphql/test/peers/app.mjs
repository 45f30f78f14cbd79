// Starts an application for each argument, which uses what the argument names, and prints how that went in a line each.
import { NestFactory } from '@nestjs/core';
import { GraphqlMountModule } from '@fledge/graphql';

const typeDefs = 'type Query { hello: String }';
const options = {
  'graphql-http': () => ({ typeDefs }),
  'graphql-query-complexity': () => ({ typeDefs, limits: { cost: 100 } }),
  'graphql-yoga': async () => ({
    typeDefs,
    runtime: (await import('@fledge/graphql/yoga')).yoga(),
  }),
};
const quiet = { logger: false, abortOnError: false };
for (const use of process.argv.slice(2)) {
  try {
    const imports = [GraphqlMountModule.forRoot(await options[use]())];
    const app = await NestFactory.create({ module: class AppModule {}, imports }, quiet);
    await app.init();
    await app.close();
    console.log('started');
  } catch ({ code, message }) {
    console.log(`${code}: ${message}`);
  }
}
