// Serves the explorer from the built package, and prints what a browser gets at its addresses.
import { ApolloDriver } from '@nestjs/apollo';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { GraphqlMountModule } from '@fledge/graphql';
import { GraphqlApolloModule, GraphqlContextFactory } from '@fledge/graphql/apollo';

const typeDefs = 'type Query { hello: String }';
const imports = [
  GraphqlMountModule.forRoot({ typeDefs }),
  GraphqlApolloModule.forRoot({ name: 'Apollo', path: '/apollo' }),
  GraphQLModule.forRoot({
    driver: ApolloDriver,
    path: '/apollo',
    typeDefs,
    context: GraphqlContextFactory.create,
  }),
];
const app = await NestFactory.create({ module: class AppModule {}, imports }, { logger: false });
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();
const got = [];
for (const path of ['/graphql', '/graphql/explorer.js', '/apollo', '/apollo/explorer.css']) {
  const { status, headers } = await fetch(url + path, { headers: { accept: 'text/html' } });
  got.push(`${path} ${status} ${headers.get('content-type')}`);
}
await app.close();
process.stdout.write(got.join('\n'));
