import { defineHttpContextDecorator } from '@fledge/core';
import type { TenantContext } from '@fledge/tenant';

export interface Reader {
  readonly name: string;
  readonly tenant: string | undefined;
}

/** Sets `reader`: the name behind `Authorization: Bearer`, and its tenant. */
export const LoadReader = defineHttpContextDecorator({
  key: 'reader',
  dependsOn: ['tenant'],
  resolve: (ctx): Reader => ({
    name: String(ctx.headers.authorization ?? 'Bearer nobody').slice('Bearer '.length),
    tenant: ctx.get<TenantContext | null>('tenant')?.tenantId,
  }),
});
