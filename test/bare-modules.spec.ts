import { describe, expect, it } from '@jest/globals';
import { ContextModule } from '@fledge/core';
import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { OauthBridgeModule } from '@fledge/mcp/oauth-bridge';
import { PanelModule } from '@fledge/panel';
import { QueryModule } from '@fledge/query/nest';
import { TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { TenantRlsModule } from '@fledge/tenant/rls';
import { TenantSocketsModule } from '@fledge/tenant/websockets';
import { Test } from '@nestjs/testing';

// Without `forRoot()`, a module would serve or check nothing.
it.each([
  [
    GraphqlSubscriptionsModule,
    /^GraphqlSubscriptionsModule\.forRoot\(\) is undefined, but must be an object with .*schema/,
  ],
  [McpModule, /^McpModule has no options\. Import McpModule\.forRoot\(\{ name: 'task-api' \}\)/],
  [
    OauthBridgeModule,
    /^OauthBridgeModule\.forRoot\(\) is undefined, but must be an object with .*issuer/,
  ],
  [PanelModule, /^PanelModule has no options\. Import PanelModule\.forRoot\(\)/],
  [TenantModule, /^TenantModule has no options\. .*forRoot\(\{ strategy: 'header' \}\)/],
  [TenantConnectionsModule, /^TenantConnectionsModule has no options\. .*forRoot\(\{ provide: DB/],
  [TenantImpersonationModule, /^TenantImpersonationModule\.forRoot\(/],
  [TenantLifecycleModule, /^TenantLifecycleModule\.forRoot\(/],
  [
    TenantRlsModule,
    /^TenantRlsModule\.forRoot\(\) is undefined, but must be an object with .*query/,
  ],
])('%p is refused without forRoot(), and the message has the call', async (module, message) => {
  const imported = Test.createTestingModule({ imports: [module as never] });
  await expect(imported.compile()).rejects.toThrow(message);
});

const tenant = TenantModule.forRoot({ strategy: 'header' });
const secrets = ['x'.repeat(32)] as const;
const ledger = { connect: () => Promise.reject(new Error('unused')) };

it.each([
  [
    'TenantSocketsModule',
    [TenantSocketsModule, TenantSocketsModule.forRoot({ mode: 'universal' })],
  ],
  [
    'TenantImpersonationModule',
    [
      TenantImpersonationModule.forRoot({ secrets }),
      TenantImpersonationModule.forRoot({ secrets, header: 'x-other' }),
    ],
  ],
  [
    'TenantLifecycleModule',
    [
      TenantLifecycleModule.forRoot({ ledger }),
      TenantLifecycleModule.forRoot({ ledger, tasks: {} }),
    ],
  ],
])('%s is refused with two sets of options, of which only one would count', async (name, twice) => {
  const imported = Test.createTestingModule({ imports: [tenant, ...twice] });
  await expect(imported.compile()).rejects.toThrow(`${name} is imported twice`);
});

/** Every module with forRootAsync(). */
const ASYNC_MODULES = {
  ContextModule,
  GraphqlMountModule,
  GraphqlSubscriptionsModule,
  McpModule,
  OauthBridgeModule,
  PanelModule,
  QueryModule,
  TenantImpersonationModule,
  TenantLifecycleModule,
  TenantModule,
  TenantRlsModule,
};

describe.each(Object.entries(ASYNC_MODULES))('%s.forRootAsync()', (name, module) => {
  const start = async (options?: object) => {
    const imports = [module.forRootAsync(options as never)];
    await Test.createTestingModule({ imports }).compile();
  };
  const NO_SOURCE =
    `${name}.forRootAsync() has no useFactory, useClass, useExisting. ` +
    'Add useFactory: () => ({ ... }).';

  it('names a misspelled option', async () => {
    await expect(start({ useFactry: () => ({}) })).rejects.toThrow(
      `${name}.forRootAsync({ useFactry }) is not an option. Did you mean useFactory?`,
    );
  });

  it('names what provides the options, if nothing does', async () => {
    await expect(start({})).rejects.toThrow(NO_SOURCE);
    await expect(start({ inject: [], useFactory: undefined })).rejects.toThrow(NO_SOURCE);
  });

  it.each([
    ['undefined', undefined],
    // A promise has no properties.
    ['a promise', Promise.resolve({})],
  ])('rejects %s', async (shown, options) => {
    await expect(start(options)).rejects.toThrow(
      `${name}.forRootAsync() is ${shown}, but must be an object with`,
    );
  });
});

it.each([ContextModule, QueryModule, TenantSocketsModule])(
  '%p.forRoot() does not ignore the options in a promise',
  async (module) => {
    const start = async () => {
      const imports = [tenant, module.forRoot(Promise.resolve({ x: 1 }) as object)];
      const compiled = await Test.createTestingModule({ imports }).compile();
      await compiled.createNestApplication().init();
    };
    await expect(start()).rejects.toThrow(`${module.name}.forRoot(`);
  },
);
