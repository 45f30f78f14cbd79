import { TENANT_CONTEXT, Tenancy, type TenantContext } from '@fledge/tenant';
import { Inject, Injectable } from '@nestjs/common';

/** A singleton that sees for which tenant it is called. */
@Injectable()
export class TenantWitness {
  constructor(
    @Inject(TENANT_CONTEXT) private readonly tenant: TenantContext,
    private readonly tenancy: Tenancy,
  ) {}

  get tenantId(): string {
    return this.tenancy.currentOrNull() === null ? 'nobody' : this.tenant.tenantId;
  }

  get impersonatedBy(): string | undefined {
    return this.tenant.impersonatedBy;
  }
}
