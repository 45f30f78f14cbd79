// Starts an application that uses what its argument names, and tells how that went.
import { NestFactory } from '@nestjs/core';
import { GraphqlMountModule } from '@fledge/graphql';

const typeDefs = 'type Query { hello: String }';
const options = {
  'graphql-http': () => ({ typeDefs }),
  'graphql-jit': async () => ({
    typeDefs,
    executor: (await import('@fledge/graphql/jit')).jit(),
  }),
  'graphql-query-complexity': () => ({ typeDefs, limits: { cost: 100 } }),
  'graphql-yoga': async () => ({
    typeDefs,
    runtime: (await import('@fledge/graphql/yoga')).yoga(),
  }),
};
const imports = [GraphqlMountModule.forRoot(await options[process.argv[2]]())];
const quiet = { logger: false, abortOnError: false };
try {
  const app = await NestFactory.create({ module: class AppModule {}, imports }, quiet);
  await app.init();
  await app.close();
  process.stdout.write('started');
} catch ({ code, message }) {
  process.stdout.write(`${code}: ${message}`);
}
