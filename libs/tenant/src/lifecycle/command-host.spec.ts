import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TenantModule } from '../tenant.module.js';
import { CommandHost } from './command-host.js';
import { TenantLifecycleModule } from './tenant-lifecycle.module.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('lists also tenants with an invalid record, with the reason, and never their data', async () => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const records = [
    { tenantId: 'acme', identifier: 'acme-corp', data: { url: 'postgres://u:secret@db' } },
    { tenantId: 'beta', status: 'bogus' },
    { tenantId: 'gamma', status: 'suspended' },
    { tenantId: 'delta', data: 7 },
  ];
  const store = { find: () => null, list: () => records as never };
  const ledger = { connect: () => Promise.reject(new Error('not needed')) };
  @Module({
    imports: [
      TenantModule.forRoot({ strategy: 'header', store }),
      TenantLifecycleModule.forRoot({ ledger }),
    ],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
    abortOnError: false,
  });
  expect(await app.get(CommandHost).list()).toEqual([
    { tenantId: 'acme', identifier: 'acme-corp', status: 'active' },
    { tenantId: 'beta', invalid: expect.stringContaining('`status` is "bogus"') },
    { tenantId: 'gamma', status: 'suspended' },
    { tenantId: 'delta', invalid: '`data` is a number, but must be an object' },
  ]);
  await app.close();
});
