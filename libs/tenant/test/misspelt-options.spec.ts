import {
  tenantMetricLabel,
  TenantModule,
  TenantOptionError,
  type TenantProvider,
} from '@fledge/tenant';
import { TenantBullModule } from '@fledge/tenant/bullmq';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { tenantPlugin } from '@fledge/tenant/kysely';
import { auditMariadb, mariadbSql } from '@fledge/tenant/mariadb';
import { guardTenants } from '@fledge/tenant/mikro-orm';
import { guardConnection } from '@fledge/tenant/mongoose';
import { redisInvalidations } from '@fledge/tenant/redis';
import { auditRls, bindTenant, pgQuery, tenantAware } from '@fledge/tenant/rls';
import { TenantSocketsModule, type TenantSocketsOptions } from '@fledge/tenant/websockets';
import { TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { describe, expect, it } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';

const provider: TenantProvider = { provide: 'DB', useFactory: () => ({}) };
const connection = { provide: 'DB', create: () => ({}), dispose: () => undefined };

describe('a misspelt option stops the boot', () => {
  it.each([
    [
      'TenantSocketsModule.forRoot({ mod }) is not an option. Did you mean mode? The options are mode.',
      () => TenantSocketsModule.forRoot({ mod: 'central' } as TenantSocketsOptions),
    ],
    [
      `TenantSocketsModule.forRoot({ mode }) is "centrl", but must be 'tenant', 'universal' or 'central'.`,
      () => TenantSocketsModule.forRoot({ mode: 'centrl' } as object),
    ],
    [
      'TenantConnectionsModule.forRoot({ idle }) is not an option. Did you mean idleMs? The options are provide,',
      () => TenantConnectionsModule.forRoot({ ...connection, idle: 5 } as typeof connection),
    ],
    [
      'TenantModule.forFeature({ dispos }) of DB is not an option. Did you mean dispose? The options are provide,',
      () => TenantModule.forFeature([{ ...provider, dispos: () => undefined } as TenantProvider]),
    ],
    [
      'TenantConnectionsModule.forRoot({ dispose }) is undefined, but must be a function.',
      () => TenantConnectionsModule.forRoot({ ...connection, dispose: undefined as never }),
    ],
    [
      'TenantConnectionsModule.forRoot({ create }) is undefined, but must be a function.',
      () => TenantConnectionsModule.forRoot({ ...connection, create: undefined as never }),
    ],
    [
      'TenantModule.forFeature({ provide }) is undefined, but must be a token',
      () => TenantModule.forFeature([{ useFactory: () => ({}) } as never]),
    ],
    [
      `tenantAware({ by }) is "set local", but must be 'set_config' or 'SET LOCAL'.`,
      () =>
        tenantAware({ optionsFactory: () => ({}) as never }, pgQuery as never, {
          by: 'set local' as never,
        }),
    ],
    [
      'mariadbSql({ columDefault }) is not an option. Did you mean columnDefault?',
      () => mariadbSql(['note'], { tablesIn: 'a', viewsIn: 'b', columDefault: 'tenant' } as never),
    ],
    [
      'tenantPlugin({ shard }) is not an option. Did you mean shared?',
      () => tenantPlugin({ tables: ['note'], shard: ['country'] } as never),
    ],
    [
      'guardTenants({ propety }) is not an option. Did you mean property?',
      () => guardTenants({ driver: class {} }, { propety: 'orgId' } as never),
    ],
    [
      'guardConnection({ sharde }) is not an option. Did you mean shared?',
      () => guardConnection({ collections: {}, collection: () => ({}) }, { sharde: [] } as never),
    ],
    [
      'guardTenants({ property }) is "", but must be a name that is not empty.',
      () => guardTenants({ driver: class {} }, { property: '' }),
    ],
    [
      'guardTenants({ shared[0] }) is null, but must be an entity.',
      () => guardTenants({ driver: class {} }, { shared: [null as never] }),
    ],
    [
      'guardTenants() requires `driver` in the configuration.',
      () => (guardTenants as () => unknown)(),
    ],
    [
      'guardConnection({ field }) is "", but must be the name of a top-level field, without "." and without "$" at the start.',
      () => guardConnection({ collections: {}, collection: () => ({}) }, { field: '' }),
    ],
    [
      'guardConnection({ field }) is "org.id", but must be the name of a top-level field, without "." and without "$" at the start.',
      () => guardConnection({ collections: {}, collection: () => ({}) }, { field: 'org.id' }),
    ],
    [
      'guardConnection({ field }) is "$org", but must be the name of a top-level field, without "." and without "$" at the start.',
      () => guardConnection({ collections: {}, collection: () => ({}) }, { field: '$org' }),
    ],
    [
      'tenantPlugin({ column }) is "", but must be a name that is not empty.',
      () => tenantPlugin({ tables: ['note'], column: '' }),
    ],
    [
      'redisInvalidations({ chanel }) is not an option. Did you mean channel?',
      () => redisInvalidations({ chanel: 'a' } as never),
    ],
    [
      'mariadbSql() requires a list of tables',
      () => mariadbSql([], { tablesIn: 'a', viewsIn: 'b' }),
    ],
    [
      'tenantMetricLabel({ maxx }) is not an option. Did you mean max?',
      () => tenantMetricLabel({ by: () => 'a', maxx: 5 } as never),
    ],
  ])('%s', (message, make) => {
    expect(make).toThrow(TenantOptionError);
    expect(make).toThrow(message);
  });

  it.each([
    [
      `bindTenant({ by }) is "set local", but must be 'set_config' or 'SET LOCAL'.`,
      () => bindTenant(() => Promise.resolve([]), { by: 'set local' as never }),
    ],
    [
      'auditRls({ table }) is not an option. Did you mean tables?',
      () => auditRls(() => Promise.resolve([]), { table: ['note'] } as never),
    ],
    [
      'auditMariadb({ viewIn }) is not an option. Did you mean viewsIn?',
      () => auditMariadb(() => Promise.resolve([]), { tablesIn: 'a', viewIn: 'b' } as never),
    ],
  ])('%s', async (message, call) => {
    await expect(call()).rejects.toThrow(TenantOptionError);
    await expect(call()).rejects.toThrow(message);
  });

  it('and right ones do not', () => {
    const names = { inject: [], type: 'object', max: 1, idleMs: 1, warm: [] } as const;
    const inject: never[] = [];
    const dispose = () => undefined;
    TenantSocketsModule.forRoot({});
    TenantSocketsModule.forRoot({ mode: 'central' });
    TenantModule.forFeature([{ ...provider, ...names, inject, dispose }]);
    const { module } = TenantConnectionsModule.forRoot({
      ...connection,
      ...names,
      inject,
      imports: [],
    });
    expect(module).toBe(TenantConnectionsModule);
  });
});

describe('without TenantModule, the start says what to import', () => {
  const secrets = ['x'.repeat(32)] as const;
  const ledger = { connect: () => Promise.reject(new Error('unused')) };
  it.each<[string, Type | DynamicModule]>([
    ['TenantSocketsModule', TenantSocketsModule],
    ['TenantSocketsModule', TenantSocketsModule.forRoot({ mode: 'central' })],
    ['TenantMicroservicesModule', TenantMicroservicesModule],
    ['TenantBullModule', TenantBullModule],
    ['TenantImpersonationModule', TenantImpersonationModule.forRoot({ secrets })],
    ['TenantLifecycleModule', TenantLifecycleModule.forRoot({ ledger })],
    ['The per-tenant provider DB', TenantModule.forFeature([provider])],
    ['The per-tenant provider DB', TenantConnectionsModule.forRoot(connection)],
  ])('of %s', async (name, module) => {
    const start = Test.createTestingModule({ imports: [module] }).compile();
    await expect(start).rejects.toThrow(
      `${name} needs TenantModule. Add TenantModule.forRoot({ strategy: 'header' }) to the imports`,
    );
  });
});

it('without a queue, TenantBullModule says what to register', async () => {
  const imports = [TenantModule.forRoot({ strategy: 'header' }), TenantBullModule];
  await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
    "TenantBullModule needs the queues of @nestjs/bullmq. Add BullModule.registerQueue({ name: 'mail' }) to the imports",
  );
});
