import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type ModuleMetadata,
  Scope,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { singleConnectionLedger, TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { TenantRlsModule } from '@fledge/tenant/rls';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';

@Injectable({ scope: Scope.REQUEST })
class PerRequest {}

/** A singleton in its own declaration, which its dependency makes request-scoped. */
@Injectable()
class Settings {
  constructor(@Inject(REQUEST) readonly request: unknown) {}
}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {}

@Global()
@Module({
  providers: [PerRequest, Settings, Transient],
  exports: [PerRequest, Settings, Transient],
})
class SettingsModule {}

const tenants = TenantModule.forRoot({ strategy: 'header' });
const ledger = singleConnectionLedger({ query: async () => [], exec: async () => [] } as never);
const connection = { provide: 'DB', create: () => ({}), dispose: () => undefined };
const inject = [PerRequest];

const cases: [place: string, name: string, imports: DynamicModule[]][] = [
  [
    'TenantModule.forRootAsync()',
    'PerRequest',
    [TenantModule.forRootAsync({ inject, useFactory: () => ({ strategy: 'header' }) })],
  ],
  [
    'TenantModule.forRootAsync()',
    'PerRequest',
    [
      TenantLifecycleModule.forRoot({ ledger }),
      TenantModule.forRootAsync({ inject, useFactory: () => ({ strategy: 'header' }) }),
    ],
  ],
  [
    'TenantRlsModule.forRootAsync()',
    'Settings',
    [
      TenantRlsModule.forRootAsync({
        inject: [Settings],
        useFactory: () => ({ query: async () => [] }),
      }),
    ],
  ],
  [
    'TenantLifecycleModule.forRootAsync()',
    'Settings',
    [
      tenants,
      TenantLifecycleModule.forRootAsync({ inject: [Settings], useFactory: () => ({ ledger }) }),
    ],
  ],
  [
    'TenantImpersonationModule.forRootAsync()',
    'PerRequest',
    [
      tenants,
      TenantImpersonationModule.forRootAsync({
        inject,
        useFactory: () => ({ secrets: ['x'.repeat(32)] }),
      }),
    ],
  ],
  [
    'The per-tenant provider MAILER',
    'REQUEST',
    [
      tenants,
      TenantModule.forFeature([{ provide: 'MAILER', inject: [REQUEST], useFactory: () => ({}) }]),
    ],
  ],
  [
    'The per-tenant provider DB',
    'Settings',
    [tenants, TenantConnectionsModule.forRoot({ ...connection, inject: [Settings] })],
  ],
];

describe.each(cases)('a request-scoped dependency of %s', (place, name, imports) => {
  const metadata: ModuleMetadata = { imports: [SettingsModule, ...imports] };
  const error = {
    code: 'TENANT_INVALID_OPTION',
    message: expect.stringContaining(`${place} injects ${name}, which is request-scoped or`),
  };
  afterEach(closeAll);

  it.each(platforms)('stops startup on $name', async ({ adapter }) => {
    const app = await createApp(metadata, adapter());
    await expect(app.init()).rejects.toMatchObject(error);
  });

  it('stops the startup of an application without HTTP', async () => {
    @Module(metadata)
    class AppModule {}
    const started = NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    await expect(started).rejects.toMatchObject(error);
  });
});

it('accepts transient dependencies', async () => {
  const db = TenantConnectionsModule.forRoot({ ...connection, inject: [Transient] });
  const app = await createApp({ imports: [SettingsModule, tenants, db] }, platforms[0]!.adapter());
  await app.init();
  await closeAll();
});
