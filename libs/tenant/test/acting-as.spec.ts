import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import {
  Tenancy,
  TenantModule,
  type TenantAdapterOptions,
  type TenantRecord,
} from '@fledge/tenant';
import { actingAs, inTenant } from '@fledge/tenant/testing';
import { get } from 'node:http';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';

@Controller()
class Routes {
  constructor(private readonly tenancy: Tenancy) {}

  @Get(['invoices', 'api/:tenant/invoices', ':tenant/invoices'])
  invoices(@Param('tenant') segment?: string) {
    return { tenantId: this.tenancy.current().tenantId, segment };
  }
}

const records: Record<string, TenantRecord> = {
  acme: { tenantId: 't-1', identifier: 'acme' },
  gone: { tenantId: 't-2', identifier: 'gone', status: 'suspended' },
};
const store = { find: (name: string) => records[name], list: () => Object.values(records) };

afterEach(closeAll);

/** Through node:http, because fetch sends no `Host` of its own. */
const answerOf = (url: string, headers: Record<string, string>) =>
  new Promise<unknown>((resolve, reject) => {
    get(url, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });

describe.each(platforms)('actingAs and inTenant on $name', (platform) => {
  const boot = (options: TenantAdapterOptions) =>
    serve(
      { imports: [TenantModule.forRoot({ store, ...options })], controllers: [Routes] },
      platform,
    );

  it.each<[string, TenantAdapterOptions]>([
    ['a header', { strategy: 'header' }],
    ['a header of its own', { strategy: { type: 'header', header: 'x-org' } }],
    ['a subdomain', { strategy: 'subdomain' }],
    ['a subdomain of a base', { strategy: 'subdomain', subdomain: { baseDomains: ['x.test'] } }],
    ['a query parameter', { strategy: 'query' }],
    ['a path', { strategy: 'path' }],
    ['a path after /api', { strategy: 'path', path: { after: '/api' } }],
    ['a path that is stripped', { strategy: 'path', path: { strip: true } }],
    ['several that agree', { strategy: ['header', 'query'], combine: 'agree' }],
    ['the first of several', { strategy: [() => undefined, 'query', 'header'] }],
  ])('sends the tenant by %s', async (_, options) => {
    const { app, url } = await boot(options);
    const acme = await actingAs(app, 'acme');
    expect(await answerOf(url + acme.path('/invoices'), acme.headers)).toMatchObject({
      tenantId: 't-1',
    });
    const gone = await actingAs(app, 'gone');
    expect(await answerOf(url + gone.path('/invoices'), gone.headers)).toMatchObject({
      code: 'TENANT_SUSPENDED',
    });
  });

  it('names an unknown tenant, and those that there are', async () => {
    const { app } = await boot({ strategy: 'header' });
    const error = {
      code: 'TENANT_TEST_UNKNOWN',
      message: expect.stringMatching(/no tenant "acmee".*"acme", "gone"/),
    };
    await expect(actingAs(app, 'acmee')).rejects.toMatchObject(error);
    await expect(inTenant(app, 'acmee', () => 1)).rejects.toMatchObject(error);
  });

  it('runs a function in the tenant, and throws what it throws', async () => {
    const { app, url } = await boot({ strategy: 'header' });
    expect(await inTenant(app, 'acme', ({ tenantId }) => tenantId)).toBe('t-1');
    expect(app.get(Tenancy).currentOrNull()).toBeNull();
    await expect(inTenant(app, 'gone', () => 1)).rejects.toMatchObject({
      code: 'TENANT_SUSPENDED',
    });
    const inner = inTenant(app, 'acme', () => app.get(Tenancy).run('nobody', () => 1));
    await expect(inner).rejects.toMatchObject({ code: 'TENANT_UNKNOWN' });
    const both = await Promise.all(
      ['a', 'b'].map(() => inTenant(app, 'acme', () => call(`${url}/invoices`))),
    );
    expect(both.map(({ status }) => status)).toEqual([400, 400]);
  });

  it('says what to do for a function', async () => {
    const { app } = await boot({ strategy: () => 'acme' });
    await expect(actingAs(app, 'acme')).rejects.toMatchObject({ code: 'TENANT_INVALID_OPTION' });
  });
});
