// Operations of a mount with `direct: true`, next to an MCP endpoint and with tenants.
import { afterEach, expect, describe, it } from '@jest/globals';
import type { RequestContext } from '@fledge/core';
import { GraphqlMountModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { TenantModule } from '@fledge/tenant';
import { closeAll, platforms, post, serve } from './support/platforms.js';

afterEach(closeAll);

describe.each(platforms)('on $name, operations of a direct mount', (platform) => {
  const start = async () => {
    const { url } = await serve(
      {
        imports: [
          McpModule.forRoot({ name: 'app', direct: true }),
          TenantModule.forRoot({ strategy: 'header' }),
          GraphqlMountModule.forRoot({
            typeDefs: 'type Query { tenant: String }',
            rootValue: {
              tenant: async (_args: object, { ctx }: { ctx: RequestContext }) => {
                await new Promise((resolve) => setTimeout(resolve, 1));
                return (ctx.get('tenant') as { tenantId: string }).tenantId;
              },
            },
            direct: true,
          }),
        ],
      },
      platform,
    );
    return async (i: number) => {
      const init = post({ query: '{ tenant }' });
      const headers = { ...(init.headers as object), 'x-tenant-id': `t${i}` };
      return (await fetch(`${url}/graphql`, { ...init, headers })).json();
    };
  };

  it('are served for their tenant, each in a separate context, at once', async () => {
    const ask = await start();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i)));
    expect(answers).toEqual(answers.map((_, i) => ({ data: { tenant: `t${i}` } })));
  });
});
