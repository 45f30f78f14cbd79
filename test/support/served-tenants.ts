import { tenantLogFields } from '@fledge/tenant';

/** The tenants handlers worked for, in the order they did. */
export const served: (string | undefined)[] = [];

export function currentTenantId(): string | undefined {
  return tenantLogFields().tenantId;
}
