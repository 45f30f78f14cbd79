import { Logger } from '@nestjs/common';
import type { ConnectionBudget } from './budget/connection-budget.js';
import type { Seat } from './budget/seat.js';
import { once } from '../once.js';
import type { Hold, ResourceMetrics, TenantResource } from '../scope/tenant-resources.js';
import type { TenantContext } from '../tenant-context.js';
import { TenantInstanceNotReadyError, TenantPoolClosedError } from '../tenant.errors.js';
import { IdleSlots } from './idle-slots.js';
import { Slot } from './slot.js';
import type { TenantPoolOptions } from './tenant-provider.js';

/**
 * The instances of one provider, one for each tenant. An instance is disposed if it is unused for
 * `idleMs`, if another tenant needs its slot, or if its tenant is invalidated. An instance in use
 * is never disposed. A general LRU cache would also dispose instances in use.
 */
export class TenantPool<T extends object> implements TenantResource {
  /** The slot of each tenant for new scopes. The keys are tenant ids. */
  private readonly slots = new Map<string, Slot<T>>();
  private readonly idle: IdleSlots<Slot<T>>;
  /** A scope keeps its slot, even if new scopes of the tenant get another slot. */
  private readonly held = new WeakMap<TenantContext, Slot<T>>();
  /** Slots that are not disposed yet. */
  private readonly alive = new Set<Slot<T>>();
  private readonly counts = { created: 0, disposed: 0, evicted: 0, failed: 0, disposeFailed: 0 };
  private closing: Promise<void> | undefined;
  private emptied: () => void = () => undefined;

  /**
   * @param budget the budget for connections. If undefined, there is no limit
   * @param keepUsed keeps the tenant's other instances while an instance is disposed
   */
  constructor(
    private readonly options: TenantPoolOptions<T>,
    private readonly budget?: ConnectionBudget,
    private readonly keepUsed: (tenant: TenantContext) => Hold = () => () => undefined,
  ) {
    this.idle = new IdleSlots(options.idleMs, (slot) => this.retire(slot));
  }

  get name(): string {
    return this.options.name;
  }

  get metrics(): ResourceMetrics {
    return { alive: this.alive.size, ...this.counts };
  }

  /** @throws the factory's error, TenantPoolClosedError */
  async hold(tenant: TenantContext, seat?: Seat): Promise<Hold> {
    const slot = this.slotOf(tenant) ?? this.make(tenant, seat);
    this.held.set(tenant, slot);
    const release = this.use(slot);
    try {
      await slot.making;
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  keep(tenant: TenantContext): Hold {
    const slot = this.slotOf(tenant);
    return slot === undefined ? () => undefined : this.use(slot);
  }

  /**
   * Returns the instance for a scope. If the scope has no instance, creates one synchronously.
   * @throws the factory's error
   * @throws TenantInstanceNotReadyError if the factory is asynchronous
   * @throws TenantPoolClosedError
   * @throws TenantConnectionsBusyError if other tenants use the whole budget
   */
  get(tenant: TenantContext): T {
    const slot = this.slotOf(tenant) ?? this.makeUnheld(tenant);
    if (slot.value === undefined) {
      throw new TenantInstanceNotReadyError(this.options.name, tenant.tenantId);
    }
    this.markIdle(slot);
    return slot.value;
  }

  /** Returns undefined if the instance is not ready. */
  peek(tenant: TenantContext): T | undefined {
    return this.slotOf(tenant)?.value;
  }

  invalidate(tenantId: string): void {
    const slot = this.slots.get(tenantId);
    if (slot !== undefined) this.retire(slot);
  }

  evict(tenantId: string): void {
    if (this.slots.has(tenantId)) this.counts.evicted += 1;
    this.invalidate(tenantId);
  }

  invalidateAll(): void {
    for (const slot of [...this.slots.values()]) this.retire(slot);
  }

  /**
   * An instance in use is disposed when it is released, or after 5 seconds. If a factory takes
   * longer than 5 seconds, the returned promise does not wait for the factory. Its instance is
   * disposed later.
   */
  close(): Promise<void> {
    return (this.closing ??= this.empty());
  }

  private slotOf(tenant: TenantContext): Slot<T> | undefined {
    const held = this.held.get(tenant);
    return held !== undefined && !held.gone ? held : this.slots.get(tenant.tenantId);
  }

  private make(tenant: TenantContext, seat?: Seat): Slot<T> {
    if (this.closing !== undefined) {
      throw new TenantPoolClosedError(this.options.name, tenant.tenantId);
    }
    const slot = this.created(tenant, seat ?? this.budget?.seatNow(tenant.tenantId));
    this.slots.set(tenant.tenantId, slot);
    this.alive.add(slot);
    slot.making?.then(
      () => {
        this.markIdle(slot);
        // The instance may be unused, because the client may have disconnected early.
        this.evictIdle();
      },
      () => {
        this.counts.failed += 1;
        this.drop(slot);
      },
    );
    this.evictIdle();
    return slot;
  }

  private created(tenant: TenantContext, seat: Seat | undefined): Slot<T> {
    const share = seat?.share();
    try {
      const slot = new Slot(tenant, this.options, seat, share);
      this.counts.created += 1;
      return slot;
    } catch (error) {
      this.counts.failed += 1;
      share?.();
      throw error;
    }
  }

  private makeUnheld(tenant: TenantContext): Slot<T> {
    const slot = this.make(tenant);
    slot.making?.catch((error: unknown) => logger.error(error));
    return slot;
  }

  private use(slot: Slot<T>): Hold {
    this.idle.delete(slot);
    slot.holders += 1;
    return once(() => this.release(slot));
  }

  private release(slot: Slot<T>): void {
    slot.holders -= 1;
    if (slot.holders > 0 || slot.gone) return;
    if (slot.retired) return this.end(slot);
    this.markIdle(slot);
    this.evictIdle();
  }

  /** Starts the idle time, unless a scope uses the slot. */
  private markIdle(slot: Slot<T>): void {
    if (slot.holders === 0 && !slot.retired) this.idle.add(slot);
  }

  private evictIdle(): void {
    while (this.slots.size > this.options.max && this.idle.oldest !== undefined) {
      this.counts.evicted += 1;
      this.retire(this.idle.oldest);
    }
  }

  /** If there is a budget, the tenant's connections of all providers are released. */
  private retire(slot: Slot<T>): void {
    this.drop(slot);
    slot.seat?.retire();
  }

  private drop(slot: Slot<T>): void {
    if (this.slots.get(slot.tenant.tenantId) === slot) this.slots.delete(slot.tenant.tenantId);
    this.idle.delete(slot);
    slot.retired = true;
    if (slot.holders === 0 && !slot.gone) this.end(slot);
  }

  private end(slot: Slot<T>): void {
    void slot.dispose(this.keepUsed(slot.tenant)).then((ended) => {
      this.alive.delete(slot);
      if (ended !== undefined) this.counts[ended] += 1;
      if (this.alive.size === 0) this.emptied();
    });
  }

  private async empty(): Promise<void> {
    this.idle.stop();
    const emptied = new Promise<void>((resolve) => (this.emptied = resolve));
    this.invalidateAll();
    if (this.alive.size === 0) return;
    const timer = setTimeout(() => this.endHeld(), SHUTDOWN_GRACE_MS);
    await emptied;
    clearTimeout(timer);
  }

  private endHeld(): void {
    for (const slot of [...this.alive]) {
      if (slot.value === undefined || !slot.gone) logger.warn(this.lateMessage(slot));
      if (slot.value === undefined) this.alive.delete(slot);
      if (!slot.gone) this.end(slot);
    }
    if (this.alive.size === 0) this.emptied();
  }

  private lateMessage({ tenant, value }: Slot<T>): string {
    const { name } = this.options;
    const began = `${SHUTDOWN_GRACE_MS / 1_000} s after the shutdown began`;
    return value === undefined
      ? `The factory of ${name} has not returned the instance of tenant "${tenant.tenantId}" ` +
          `${began}. The shutdown does not wait for the factory. Set a timeout in the factory.`
      : `The instance ${name} of tenant "${tenant.tenantId}" is still in use ${began}. The ` +
          `instance is disposed now.`;
  }
}

const SHUTDOWN_GRACE_MS = 5_000;
const logger = new Logger('TenantPool');
