import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: { name: 'TenantModule', call: () => `TenantModule.forRoot({ strategy: 'header' })` },
    next: () => `Every route now requires the header X-Tenant-ID, and answers 400 without it. Next, exempt the routes that
belong to no tenant, such as health checks, with this decorator above the method or the controller.

  import { CentralRoute } from '@fledge/tenant';

  @CentralRoute()

A handler takes the tenant as a parameter:

  import { CurrentTenant, type TenantContext } from '@fledge/tenant';

  list(@CurrentTenant() tenant: TenantContext)

A header alone proves nothing about the caller. Bind it to the user that your guard authenticates:

  TenantModule.forRoot({
    strategy: 'header',
    verify: {
      principal: (req) => (req.user as { tenantId: string } | undefined)?.tenantId,
      required: true, // 403 without a user
    },
  })

Start the application and send a request:

  curl -H 'X-Tenant-ID: acme' http://localhost:3000/`,
  },
  new URL('../../package.json', import.meta.url),
);
