// The explorer needs the built page, and no tenant.
import { afterEach, describe, expect, it } from '@jest/globals';
import { TenantModule } from '@fledge/tenant';
import { closeAll, platforms, serve } from '../support/platforms.js';
import { served } from '../support/served-tenants.js';
import { ApolloModule, endpoints, hello } from '../support/tenant-endpoints.js';

afterEach(async () => {
  served.length = 0;
  await closeAll();
});

describe.each(platforms)('the explorer on $name', (platform) => {
  it.each(Object.entries(endpoints))(
    'of %s needs no tenant, its operations do',
    async (_, endpoint) => {
      const imports = [TenantModule.forRoot({ strategy: 'header' }), endpoint()];
      const { url } = await serve({ imports }, platform);
      await expectExplorer(`${url}/graphql`);
      expect(await hello(`${url}/graphql`)).toContain('TENANT_');
      expect(await hello(`${url}/graphql`, { 'x-tenant-id': 'acme' })).toContain('world');
    },
  );

  it('is also below the tenant in the path', async () => {
    const imports = [TenantModule.forRoot({ strategy: 'path', path: { strip: true } })];
    const { url } = await serve({ imports: [...imports, ApolloModule] }, platform);
    await expectExplorer(`${url}/acme/graphql`);
    expect(await hello(`${url}/acme/graphql`)).toContain('world');
    expect(served).toEqual(['acme']);
  });
});

async function expectExplorer(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('explorer.js')]);
  expect((await fetch(`${url}/explorer.js`)).status).toBe(200);
}
