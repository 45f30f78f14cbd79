// Operations that run ahead of the platform (`direct: true`) find their tenant as others do.
import { type GraphqlContext, GraphqlMountModule } from '@fledge/graphql';
import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import { afterEach, describe, expect, it } from '@jest/globals';
import { query } from '../libs/graphql/test/support/requests.js';
import { closeAll, platforms, serve } from './support/platforms.js';

afterEach(closeAll);

const typeDefs = 'type Query { tenant: String }';
const rootValue = {
  tenant: (_: unknown, { ctx }: GraphqlContext) =>
    (ctx.get('tenant') as { tenantId: string } | undefined)?.tenantId,
};

describe.each(platforms)('direct: true on $name', (platform) => {
  const start = (options: TenantAdapterOptions) => {
    const mount = GraphqlMountModule.forRoot({ direct: true, typeDefs, rootValue });
    return serve({ imports: [mount, TenantModule.forRoot(options)] }, platform);
  };

  it.each<[name: string, options: TenantAdapterOptions, path: string, headers: object]>([
    ['a header', { strategy: 'header' }, '/graphql', { 'x-tenant-id': 'acme' }],
    ['the query', { strategy: 'query', queryParam: 'tenant' }, '/graphql?tenant=acme', {}],
    [
      'the host',
      {
        strategy: 'subdomain',
        subdomain: { baseDomains: ['a.b'] },
        trust: { forwardedHost: true },
      },
      '/graphql',
      { 'x-forwarded-host': 'acme.a.b' },
    ],
    [
      'what a function reads of the query',
      { strategy: (req) => String((req as { query?: { of?: string } }).query?.of) },
      '/graphql?of=acme',
      {},
    ],
    [
      'what a function reads without the properties of the platform',
      { strategy: (req) => (req as { hostname?: string }).hostname ?? 'acme' },
      '/graphql',
      {},
    ],
  ])('finds the tenant in %s', async (_, options, path, headers) => {
    const { url } = await start(options);
    const { body } = await query(url + path, '{ tenant }', headers as Record<string, string>);
    expect(body).toEqual({ data: { tenant: 'acme' } });
  });

  it('rejects an operation without a tenant', async () => {
    const { url } = await start({ strategy: 'header' });
    expect(await query(`${url}/graphql`, '{ tenant }')).toMatchObject({
      status: 400,
      body: { errors: [{}] },
    });
  });
});
