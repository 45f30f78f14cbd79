import { TenantConnectionsBusyError, TenantOptionError } from '../../tenant.errors.js';
import type { TenantBudgetOptions } from '../../tenant.options.js';
import { Seat, type SeatOwner } from './seat.js';
import { chooseYielding } from './turns.js';
import { startTimer, type OnLeave, type WaitingCounts, WaitingLine } from './waiting-line.js';

/** State and counters of the budget. */
export interface BudgetMetrics extends WaitingCounts {
  /** The configured limit. */
  readonly connections: number;
  /** Number of connections in use. Includes instances that are being created or closed. */
  readonly used: number;
  /** Number of tenants whose unused instances were closed for another tenant. */
  readonly evicted: number;
}

export interface HoldOptions {
  /**
   * True inside a scope of the same tenant. The inner scope must not wait for the outer scope.
   * @default false
   */
  readonly isNested?: boolean;
  /** Called if the scope must wait. */
  readonly onLeave?: OnLeave;
}

/**
 * Limits the total connections of all tenants. A tenant reserves the connections of all its
 * providers together. A scope therefore never waits while it has only some of the connections. If
 * the budget is used up, the instances of an unused tenant are closed: the tenant that was unused
 * for the longest time. If no tenant is unused, the scope waits in line.
 */
export class ConnectionBudget implements SeatOwner {
  private readonly limit: number;
  private readonly waitMs: number;
  private readonly line: WaitingLine;
  /** The seat of each tenant for new scopes. The keys are tenant ids. */
  private readonly seats = new Map<string, Seat>();
  /** Unused seats. The seat that was unused for the longest time is first. */
  private readonly idle = new Set<Seat>();
  /** Unused seats whose instances are being disposed. */
  private readonly endingSeats = new Set<Seat>();
  /** The number of connections that each tenant needs. */
  private cost = 0;
  private used = 0;
  /** The number of connections that are being closed. */
  private ending = 0;
  private evicted = 0;
  private closed = false;
  private turns: NodeJS.Timeout | undefined;

  /** @param end closes the instances of a tenant */
  constructor(
    { connections, waitMs }: Required<TenantBudgetOptions>,
    private readonly end: (tenantId: string) => void,
  ) {
    this.limit = connections;
    this.waitMs = waitMs;
    this.line = new WaitingLine(waitMs);
  }

  get metrics(): BudgetMetrics {
    const { limit, used, evicted, line } = this;
    return { connections: limit, used, evicted, ...line.counts };
  }

  /**
   * Adds a provider's connections to the number that each tenant needs.
   * @throws TenantOptionError if the budget is too small for one tenant
   */
  add(name: string, connections: number | undefined): void {
    if (connections === undefined) {
      throw new TenantOptionError(
        `TenantModule.forRoot() has the option \`budget\`, but the provider ${name} does not set ` +
          `\`connections\`. Set \`connections\` to the maximum number of connections of one ` +
          `instance, such as the option \`max\` of its pool.`,
      );
    }
    this.cost += connections;
    if (this.cost <= this.limit) return;
    throw new TenantOptionError(
      `With the provider ${name}, each tenant needs ${this.cost} connections, but ` +
        `\`budget.connections\` is ${this.limit}. Raise \`budget.connections\`, or lower ` +
        `\`connections\` of the providers.`,
    );
  }

  /**
   * Reserves the connections of a tenant, or shares the existing connections of the tenant.
   * @throws TenantConnectionsBusyError
   */
  async hold(tenantId: string, { isNested = false, onLeave }: HoldOptions = {}): Promise<Seat> {
    const known = this.seats.get(tenantId);
    const seat =
      known === undefined || (this.mustYield(known) && !isNested) ? this.vacant(tenantId) : known;
    if (seat !== undefined) {
      seat.holders += 1;
      this.idle.delete(seat);
      return seat;
    }
    if (this.closed) throw new TenantConnectionsBusyError(this.waitMs);
    const waiting = this.line.wait(tenantId, onLeave);
    this.serve();
    return waiting;
  }

  release(seat: Seat): void {
    seat.holders -= 1;
    this.changed(seat);
  }

  /**
   * Returns the seat for an instance that is used outside a scope.
   * @throws TenantConnectionsBusyError instead of waiting
   */
  seatNow(tenantId: string): Seat {
    const seat = this.seats.get(tenantId) ?? this.vacant(tenantId);
    if (seat === undefined) throw new TenantConnectionsBusyError(this.waitMs);
    return seat;
  }

  changed(seat: Seat): void {
    if (seat.isEmpty) return this.free(seat);
    if (seat.holders > 0) return;
    // If a seat is retired, its instances are disposed after the last scope has released the seat.
    if (seat.retired) return this.countEnding(seat);
    this.idle.add(seat);
    this.serve();
  }

  retire(seat: Seat): void {
    if (seat.retired) return;
    seat.retired = true;
    if (this.seats.get(seat.tenantId) === seat) this.seats.delete(seat.tenantId);
    this.idle.delete(seat);
    if (seat.isEmpty) return this.free(seat);
    if (seat.holders === 0) this.countEnding(seat);
    this.end(seat.tenantId);
  }

  /** Rejects waiting scopes, and new scopes that would have to wait. Other scopes continue. */
  close(): void {
    this.closed = true;
    clearTimeout(this.turns);
    this.line.refuseAll();
  }

  private mustYield(seat: Seat): boolean {
    return seat.yieldingSince !== undefined && !this.closed;
  }

  private vacant(tenantId: string): Seat | undefined {
    const isFree = this.line.size === 0 && this.used + this.cost <= this.limit;
    return isFree && !this.seats.has(tenantId) ? this.take(tenantId) : undefined;
  }

  private take(tenantId: string): Seat {
    const seat = new Seat(tenantId, this.cost, this);
    this.used += this.cost;
    this.seats.set(tenantId, seat);
    return seat;
  }

  private countEnding(seat: Seat): void {
    if (this.endingSeats.has(seat)) return;
    this.endingSeats.add(seat);
    this.ending += seat.cost;
  }

  private free(seat: Seat): void {
    if (seat.freed) return;
    seat.freed = true;
    if (this.endingSeats.delete(seat)) this.ending -= seat.cost;
    if (this.seats.get(seat.tenantId) === seat) this.seats.delete(seat.tenantId);
    this.idle.delete(seat);
    seat.retired = true;
    this.used -= seat.cost;
    this.serve();
  }

  /** Assigns seats to the waiting tenants in order, as long as there are connections. */
  private serve(): void {
    if (this.line.size === 0) return;
    let wanted = 0;
    for (const place of this.line) {
      const seat = this.seats.get(place.tenantId);
      if (seat !== undefined) {
        // No other tenant is before this tenant in the line, so this tenant does not yield anymore.
        if (wanted === 0) this.resume(seat);
        continue;
      }
      wanted += this.cost;
      this.makeRoom(wanted);
      if (wanted === this.cost && this.used + this.cost <= this.limit) {
        this.line.admit(place, this.take(place.tenantId));
        wanted = 0;
      } else if (this.idle.size === 0) break;
    }
    if (this.line.size > 0) this.turns ??= startTimer(TICK_MS, () => this.giveTurns()).unref();
  }

  private makeRoom(wanted: number): void {
    for (const seat of this.idle) {
      if (this.used - this.ending + wanted <= this.limit) return;
      this.evicted += 1;
      this.retire(seat);
    }
  }

  /**
   * Lets new scopes of busy tenants wait. Otherwise, a tenant with continuous requests would never
   * release its connections.
   */
  private giveTurns(): void {
    this.turns = undefined;
    if (this.closed) return;
    const now = performance.now();
    const { begin, end } = chooseYielding([...this.seats.values()], [...this.line], now);
    end.forEach((seat) => this.resume(seat));
    for (const seat of begin) seat.yieldingSince = now;
    this.serve();
  }

  private resume(seat: Seat): void {
    seat.yieldingSince = undefined;
    seat.turnSince = performance.now();
    this.idle.delete(seat);
    this.line.admitTenant(seat);
    if (seat.holders === 0) this.idle.add(seat);
  }
}

const TICK_MS = 100;
