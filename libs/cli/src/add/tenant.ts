import { nestAddOf } from './nest-add.js';

export const nestAdd = nestAddOf(
  {
    module: { name: 'TenantModule', call: () => `TenantModule.forRoot({ strategy: 'header' })` },
    next: () => `Every route now requires the header X-Tenant-ID, and answers 400 without it. Next, exempt the routes that
belong to no tenant, such as health checks, with this decorator above the method or the controller.

  import { CentralRoute } from '@fledge/tenant';

  @CentralRoute()

Start the application and send a request:

  curl -H 'X-Tenant-ID: acme' http://localhost:3000/

A header alone proves nothing about the caller: bind it to the user with the option \`verify\`.`,
  },
  new URL('../../package.json', import.meta.url),
);
