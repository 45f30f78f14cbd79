// Options that start, but contradict each other.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleLogger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { type TenantAdapterOptions, TenantModule } from '@fledge/tenant';
import {
  TenantImpersonationModule,
  type TenantImpersonationOptions,
} from '@fledge/tenant/impersonation';
import { closeAll, createApp } from '../../../test/support/platforms.js';

const secrets = ['x'.repeat(32)] as const;
const warnings: string[] = [];

class Warnings extends ConsoleLogger {
  override log() {}
  override error() {}
  override warn(message: unknown) {
    warnings.push(String(message));
  }
}

async function start(
  options: TenantAdapterOptions,
  impersonation?: Omit<TenantImpersonationOptions, 'secrets'>,
) {
  const imports = [
    TenantModule.forRoot(options),
    ...(impersonation ? [TenantImpersonationModule.forRoot({ secrets, ...impersonation })] : []),
  ];
  const app = await createApp({ imports }, new ExpressAdapter(), { logger: new Warnings() });
  await app.init();
}

afterEach(async () => {
  warnings.length = 0;
  await closeAll();
});

describe('the header of the impersonation', () => {
  it.each<[TenantAdapterOptions, string]>([
    [{ strategy: 'header' }, 'X-Tenant-Id'],
    [{ strategy: 'header', header: 'x-org' }, 'X-ORG'],
    [{ strategy: ['subdomain', { type: 'header', header: 'X-Org' }] }, 'x-org'],
    [{ strategy: 'subdomain', trust: { forwardedHost: true } }, 'x-forwarded-host'],
  ])('cannot be a header in which %j reads the tenant: %s', async (options, header) => {
    await expect(start(options, { header })).rejects.toMatchObject({
      code: 'TENANT_INVALID_OPTION',
      message: expect.stringMatching(
        /^TenantImpersonationModule\.forRoot\(\{ header \}\) is "[\w-]+", but TenantModule\.forRoot\(\) reads the tenant from this header/i,
      ),
    });
  });

  it.each(['Authorization', 'host', 'cookie'])('cannot be %s', async (header) => {
    await expect(start({ strategy: 'header' }, { header })).rejects.toThrow(
      `TenantImpersonationModule.forRoot({ header }) is "${header.toLowerCase()}", but`,
    );
  });

  it('may be the header of a strategy that is not used', async () => {
    await start({ strategy: 'query' }, { header: 'x-tenant-id' });
  });
});

describe('settings of strategies that are not used', () => {
  it('are named in one warning', async () => {
    await start({
      strategy: ['header', () => 'a'],
      queryParam: 't',
      subdomain: { baseDomains: ['example.com'] },
      path: { segment: 1 },
      trust: { header: ['10.0.0.1'], forwardedHost: true },
    });
    expect(warnings).toEqual([
      'TenantModule.forRoot({ subdomain, path, queryParam, trust.forwardedHost }) has no effect, ' +
        'because `strategy` does not contain the strategies that read these options. Remove the ' +
        'options, or add the strategies.',
    ]);
  });

  it.each<[TenantAdapterOptions]>([
    [{ strategy: 'subdomain', trust: { forwardedHost: true } }],
    [{ strategy: 'query', queryParam: 't' }],
    [{ strategy: { type: 'path' }, path: { after: '/api' } }],
    // The defaults.
    [{ strategy: 'header', queryParam: 'tenant', path: {}, trust: { forwardedHost: false } }],
  ])('are not in %j', async (options) => {
    await start(options);
    expect(warnings).toEqual([]);
  });

  it.each([false, []])('include a header that nobody may send: %j', async (trusted) => {
    await start({ strategy: ['query', 'header'], trust: { header: trusted } });
    expect(warnings).toEqual([expect.stringContaining('"header" never finds a tenant')]);
  });

  it('include the name and the trusted senders of a header that is not read', async () => {
    await start({ strategy: 'query', header: 'x-org', trust: { header: false } });
    expect(warnings).toEqual([expect.stringContaining('({ header, trust.header }) has no effect')]);
  });
});
