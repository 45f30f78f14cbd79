import { afterEach, describe, expect, it } from '@jest/globals';
import { GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { query } from './support/requests.js';

afterEach(closeAll);

const hello = { typeDefs: 'type Query{hello:String}', rootValue: { hello: () => 'world' } };

describe.each(platforms)('the plugin pattern on $name', (platform) => {
  it('serves a schema and its root value at /graphql', async () => {
    const { url } = await serve({ imports: [GraphqlMountModule.forRoot(hello)] }, platform);
    expect(await query(`${url}/graphql`, '{ hello }')).toEqual({
      status: 200,
      type: 'application/json',
      body: { data: { hello: 'world' } },
    });
  });

  it('serves it at another path only', async () => {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...hello, path: '/q' })] },
      platform,
    );
    expect((await query(`${url}/q`, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
    const elsewhere = await query(`${url}/graphql`, '{ hello }');
    expect([elsewhere.status, elsewhere.body.statusCode]).toEqual([404, 404]);
    expect((await query(`${url}/q/below`, '{ hello }')).status).toBe(404);
  });

  it('serves options from a factory', async () => {
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRootAsync({
            useFactory: () => Promise.resolve({ ...hello, path: '/async' }),
          }),
        ],
      },
      platform,
    );
    expect((await query(`${url}/async`, '{ hello }')).body).toEqual({ data: { hello: 'world' } });
  });
});
