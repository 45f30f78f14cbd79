import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: { name: 'TenantModule', call: () => `TenantModule.forRoot({ strategy: 'header' })` },
    next: () => `Every route now requires the header X-Tenant-ID. Requests without this header get a 400 response. Next,
exempt routes that do not belong to a tenant, such as health checks: add this decorator to the method or the
controller.

  import { CentralRoute } from '@fledge/tenant';

  @CentralRoute()

A handler can receive the tenant as a parameter:

  import { CurrentTenant, type TenantContext } from '@fledge/tenant';

  list(@CurrentTenant() tenant: TenantContext)

Any caller can send any tenant in this header. Compare the tenant with the user that your guard authenticates:

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
