import type { TenantRecord } from '@fledge/tenant';

/** The tenants of a spec by identifier. Applications of the spec share them. */
export class Tenants {
  readonly records = new Map<string, TenantRecord>();

  constructor(...ids: string[]) {
    for (const tenantId of ids) this.records.set(tenantId, { tenantId });
  }

  readonly find = async (identifier: string): Promise<TenantRecord | undefined> => {
    await new Promise((resolve) => setImmediate(resolve));
    return this.records.get(identifier);
  };
}
