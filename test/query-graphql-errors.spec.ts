// A resolver that reads a wrong query string of @fledge/query.
import { GraphqlMountModule } from '@fledge/graphql';
import { parseQuery } from '@fledge/query';
import { afterEach, expect, it } from '@jest/globals';
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
