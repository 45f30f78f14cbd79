import { TenantModule, TenantOptionError, type TenantProvider } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { TenantSocketsModule, type TenantSocketsOptions } from '@fledge/tenant/websockets';
import { describe, expect, it } from '@jest/globals';

const provider: TenantProvider = { provide: 'DB', useFactory: () => ({}) };
const connection = { provide: 'DB', create: () => ({}), dispose: () => undefined };

describe('a misspelt option stops the boot', () => {
  it.each([
    [
      'TenantSocketsModule.forRoot({ mod }) is no option. Did you mean mode? There are mode.',
      () => TenantSocketsModule.forRoot({ mod: 'central' } as TenantSocketsOptions),
    ],
    [
      `TenantSocketsModule.forRoot({ mode }) is "centrl". Pass 'tenant', 'universal' or 'central'.`,
      () => TenantSocketsModule.forRoot({ mode: 'centrl' } as object),
    ],
    [
      'TenantConnectionsModule.forRoot({ idle }) is no option. Did you mean idleMs? There are provide,',
      () => TenantConnectionsModule.forRoot({ ...connection, idle: 5 } as typeof connection),
    ],
    [
      'TenantModule.forFeature({ dispos }) is no option. Did you mean dispose? There are provide,',
      () => TenantModule.forFeature([{ ...provider, dispos: () => undefined } as TenantProvider]),
    ],
  ])('%s', (message, make) => {
    expect(make).toThrow(TenantOptionError);
    expect(make).toThrow(message);
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
