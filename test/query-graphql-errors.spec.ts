// A resolver that reads a wrong query string of @fledge/query.
import { GraphqlMountModule } from '@fledge/graphql';
import { formatApolloError, GraphqlApolloModule } from '@fledge/graphql/apollo';
import { formatMercuriusErrors, GraphqlMercuriusModule } from '@fledge/graphql/mercurius';
import { parseQuery } from '@fledge/query';
import { QueryModule } from '@fledge/query/nest';
import { afterEach, expect, it } from '@jest/globals';
import { Query, Resolver } from '@nestjs/graphql';
import { apolloModule, mercuriusModule } from '../libs/graphql/test/support/nest-graphql.js';
import { query } from '../libs/graphql/test/support/requests.js';
import { closeAll, platforms, serve } from './support/platforms.js';

afterEach(closeAll);

it.each(platforms)('on $name, tells clients what is wrong', async (platform) => {
  const rootValue = {
    tasks: () => parseQuery({ sort: 'pay' }, { sortable: ['name'] }, { onInvalid: 'throw' }).sort,
  };
  const typeDefs = 'type Query { tasks: [String] }';
  const { url } = await serve(
    { imports: [GraphqlMountModule.forRoot({ typeDefs, rootValue })] },
    platform,
  );
  const { body } = await query(`${url}/graphql`, '{ tasks }');
  expect(body.errors).toMatchObject([
    {
      message: expect.stringMatching(/^Invalid query: sort/),
      path: ['tasks'],
      extensions: { code: 'QUERY_INVALID', status: 400 },
    },
  ]);
});

@Resolver()
class TasksResolver {
  @Query(() => [String])
  tasks() {
    return parseQuery({ sort: 'pay' }, { sortable: ['name'] }, { onInvalid: 'throw' }).sort;
  }
}

// The filter of QueryModule makes an HttpException of the error.
it.each([
  ...platforms.map((platform) => ({
    name: `Apollo on ${platform.name}`,
    platform,
    graphql: [GraphqlApolloModule.forRoot(), apolloModule({ formatError: formatApolloError })],
  })),
  {
    name: 'Mercurius',
    platform: platforms[1]!,
    graphql: [
      GraphqlMercuriusModule.forRoot(),
      mercuriusModule({ errorFormatter: formatMercuriusErrors }),
    ],
  },
])('has the same code with $name', async ({ platform, graphql }) => {
  const imports = [QueryModule.forRoot({}), ...graphql];
  const { url } = await serve({ imports, providers: [TasksResolver] }, platform);
  const { body } = await query(`${url}/graphql`, '{ tasks }');
  expect(body.errors).toMatchObject([{ extensions: { code: 'QUERY_INVALID', status: 400 } }]);
});
