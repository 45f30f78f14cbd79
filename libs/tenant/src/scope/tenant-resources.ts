import { Injectable } from '@nestjs/common';
import type { TenantContext } from '../tenant-context.js';

/** Something made for each tenant, such as a connection, that must be there while a scope runs. */
export interface TenantResource {
  /**
   * Makes the tenant's instance ready and holds it until the result is called. Nothing where there
   * is nothing to hold.
   */
  hold(tenant: TenantContext): Hold | Promise<Hold> | undefined;
  /** The tenant changed: what was made for it is made anew once nobody holds it. */
  invalidate(tenantId: string): void;
}

/** Lets go of what a scope held. Calling it again does nothing. */
export type Hold = () => void;

/** What all scopes of a tenant find ready: per-tenant providers and connections register here. */
@Injectable()
export class TenantResources {
  private readonly resources: TenantResource[] = [];

  register(resource: TenantResource): void {
    this.resources.push(resource);
  }

  /** Whether a scope has something to wait for or to let go of. */
  get any(): boolean {
    return this.resources.length > 0;
  }

  /** Forgets what was made for a tenant. */
  invalidate(tenantId: string): void {
    for (const resource of this.resources) resource.invalidate(tenantId);
  }

  /**
   * Makes everything ready for a scope.
   * @throws what a factory throws; what the others made ready is let go of then
   */
  async hold(tenant: TenantContext): Promise<Hold> {
    const held: Hold[] = [];
    const release = () => held.splice(0).forEach((letGo) => letGo());
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
