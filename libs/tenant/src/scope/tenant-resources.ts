import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import {
  type BudgetMetrics,
  ConnectionBudget,
  type HoldOptions,
} from '../instances/budget/connection-budget.js';
import type { Seat } from '../instances/budget/seat.js';
import { once } from '../once.js';
import type { TenantContext } from '../tenant-context.js';
import type { TenantBudgetOptions } from '../tenant.options.js';

/** A resource of each tenant, such as a connection. It must be ready while a scope runs. */
export interface TenantResource {
  /** Name of the provider. */
  readonly name: string;
  readonly metrics: ResourceMetrics;
  /**
   * Prepares the tenant's instance, and keeps it until the returned function is called.
   * @param seat the scope's share of the budget. Undefined if there is no budget
   */
  hold(tenant: TenantContext, seat?: Seat): Promise<Hold>;
  /** Keeps the tenant's instance until the returned function is called, if there is an instance. */
  keep(tenant: TenantContext): Hold;
  /**
   * Replaces the tenant's instance for new scopes. The old instance is closed after its last scope.
   */
  invalidate(tenantId: string): void;
  /**
   * Closes the tenant's instance, because another tenant needs the slot. Works like `invalidate`,
   * but counts as an eviction.
   */
  evict(tenantId: string): void;
  /** Replaces the instances of all tenants for new scopes. */
  invalidateAll(): void;
}

/** State and counters of the instances of a provider. */
export interface ResourceMetrics {
  /** Number of instances that are not disposed yet. */
  readonly alive: number;
  readonly created: number;
  readonly disposed: number;
  /** Number of instances that were disposed for another tenant, because of `max` or the budget. */
  readonly evicted: number;
  /** Number of failed calls of the factory. */
  readonly failed: number;
  /** Number of failed calls of `dispose`. */
  readonly disposeFailed: number;
}

/** Releases the resources that a scope holds. Calling it again has no effect. */
export type Hold = () => void;

/** The resources of each tenant scope. Per-tenant providers and connections register here. */
@Injectable()
export class TenantResources implements BeforeApplicationShutdown {
  /** A provider is registered after the providers that it uses. */
  private readonly resources: TenantResource[] = [];
  /** Undefined if there is no limit. */
  readonly budget: ConnectionBudget | undefined;

  constructor(budget: Required<TenantBudgetOptions> | undefined) {
    if (budget !== undefined) {
      this.budget = new ConnectionBudget(budget, (tenantId) => this.evict(tenantId));
    }
  }

  register(resource: TenantResource): void {
    this.resources.push(resource);
  }

  /** True if scopes must hold and release resources. */
  get any(): boolean {
    return this.resources.length > 0;
  }

  get metrics(): {
    readonly pools?: Readonly<Record<string, ResourceMetrics>>;
    readonly budget?: BudgetMetrics;
  } {
    return {
      ...(this.any && {
        pools: Object.fromEntries(this.resources.map(({ name, metrics }) => [name, metrics])),
      }),
      ...(this.budget && { budget: this.budget.metrics }),
    };
  }

  /** Replaces the tenant's instances for new scopes. */
  invalidate(tenantId: string): void {
    for (const resource of this.resources.toReversed()) resource.invalidate(tenantId);
  }

  /** Replaces the instances of all tenants for new scopes. */
  invalidateAll(): void {
    for (const resource of this.resources.toReversed()) resource.invalidateAll();
  }

  /**
   * Prepares all resources for a scope.
   * @throws any error of a factory, after all resources are released again
   * @throws TenantConnectionsBusyError
   */
  async hold(tenant: TenantContext, options?: HoldOptions): Promise<Hold> {
    const seat = await this.budget?.hold(tenant.tenantId, options);
    const held: Hold[] = [];
    // The instances are released first. A tenant counts as unused when no scope uses its seat.
    const release = once(() => {
      held.forEach((releaseOne) => releaseOne());
      if (seat !== undefined) this.budget?.release(seat);
    });
    try {
      for (const resource of this.resources) {
        held.unshift(await resource.hold(tenant, seat));
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Keeps the tenant's instances that a provider may use while its instance is disposed. */
  keepUsedBy(user: TenantResource, tenant: TenantContext): Hold {
    const used = this.resources.slice(0, this.resources.indexOf(user));
    const kept = used.map((resource) => resource.keep(tenant));
    return () => kept.forEach((release) => release());
  }

  /**
   * Runs before the server is closed. Closing the server waits for open requests, and these
   * requests may wait for connections.
   */
  beforeApplicationShutdown(): void {
    this.budget?.close();
  }

  private evict(tenantId: string): void {
    for (const resource of this.resources.toReversed()) resource.evict(tenantId);
  }
}
