import { afterEach, expect, it } from '@jest/globals';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';

class DataSource {}
class CoreModule {}

/** Exports the token, as TypeOrmModule.forRoot() does. */
const core = (isGlobal: boolean): DynamicModule => ({
  module: CoreModule,
  global: isGlobal,
  providers: [{ provide: DataSource, useValue: 'central' }],
  exports: [DataSource],
});
const connections = () =>
  TenantConnectionsModule.forRoot({
    provide: DataSource,
    create: () => ({}),
    dispose: () => undefined,
  });

function start(...imports: (DynamicModule | Type)[]): Promise<unknown> {
  const tenants = TenantModule.forRoot({ strategy: 'header' });
  return createApp({ imports: [tenants, ...imports] }, platforms[0]!.adapter()).then((app) =>
    app.init(),
  );
}

afterEach(closeAll);

it.each([
  ['TenantConnectionsModule and CoreModule', () => [connections(), core(true)]],
  ['CoreModule and TenantConnectionsModule', () => [core(true), connections()]],
  ['TenantConnectionsModule and TenantConnectionsModule', () => [connections(), connections()]],
])('stops startup if %s export one token', async (names, imports) => {
  await expect(start(...imports())).rejects.toMatchObject({
    code: 'TENANT_INVALID_OPTION',
    message: expect.stringContaining(
      `DataSource is exported by the global modules ${names}, so the order of imports would`,
    ),
  });
});

it('accepts one module that several modules import, and a module that is not global', async () => {
  const shared = connections();
  @Module({ imports: [shared, core(false)] })
  class FeatureModule {}
  await start(shared, FeatureModule);
});
