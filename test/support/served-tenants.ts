import { tenantLogFields } from '@fledge/tenant';

/** The tenants for which handlers ran, in order. */
export const served: (string | undefined)[] = [];

export function currentTenantId(): string | undefined {
  return tenantLogFields().tenantId;
}
