import { Injectable } from '@nestjs/common';
import type { TenantContext } from '../tenant-context.js';

/** A per-tenant resource, such as a connection, that must be ready while a scope runs. */
export interface TenantResource {
  /**
   * Makes the tenant's instance ready and keeps it until the returned function is called. Undefined if
   * there is nothing to keep.
   */
  hold(tenant: TenantContext): Hold | Promise<Hold> | undefined;
  /** Replaces the tenant's instance for new scopes. The old one ends when it is no longer held. */
  invalidate(tenantId: string): void;
}

/** Releases what a scope holds. Further calls do nothing. */
export type Hold = () => void;

/** The resources that each tenant scope holds. Per-tenant providers and connections register here. */
@Injectable()
export class TenantResources {
  private readonly resources: TenantResource[] = [];

  register(resource: TenantResource): void {
    this.resources.push(resource);
  }

  /** True if scopes must hold and release resources. */
  get any(): boolean {
    return this.resources.length > 0;
  }

  /** Replaces the tenant's instances for new scopes. */
  invalidate(tenantId: string): void {
    for (const resource of this.resources) resource.invalidate(tenantId);
  }

  /**
   * Makes all resources ready for a scope.
   * @throws what a factory throws; resources that were already held are released
   */
  async hold(tenant: TenantContext): Promise<Hold> {
    const held: Hold[] = [];
    const release = () => held.splice(0).forEach((releaseOne) => releaseOne());
    try {
      for (const resource of this.resources) {
        const hold = await resource.hold(tenant);
        if (hold !== undefined) held.push(hold);
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }
}
