import { expect, it } from '@jest/globals';
import { GraphqlSubscriptionsModule } from '@fledge/graphql';
import { McpModule } from '@fledge/mcp';
import { OauthBridgeModule } from '@fledge/mcp/oauth-bridge';
import { PanelModule } from '@fledge/panel';
import { TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { TenantImpersonationModule } from '@fledge/tenant/impersonation';
import { TenantLifecycleModule } from '@fledge/tenant/lifecycle';
import { TenantRlsModule } from '@fledge/tenant/rls';
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
