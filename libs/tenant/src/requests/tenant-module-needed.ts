import { NeededModule } from '@fledge-internal/nest-modules';

export const neededTenantModule = new NeededModule(
  'TenantModule',
  'The application uses decorators of @fledge/tenant, but does not import TenantModule, so requests ' +
    "have no tenant. Add TenantModule.forRoot({ strategy: 'header' }) to the imports of the root module.",
);
