import { TenantConnectionsBusyError, TenantOptionError } from '../../tenant.errors.js';
import type { TenantBudgetOptions } from '../../tenant.options.js';
import { Seat, type SeatOwner } from './seat.js';
import { chooseYielding } from './turns.js';
import { startTimer, type OnLeave, type WaitingCounts, WaitingLine } from './waiting-line.js';

/** State and counters of the budget. */
export interface BudgetMetrics extends WaitingCounts {
  /** The configured limit. */
  readonly connections: number;
  /** Connections of instances that exist, are being created, or are being closed. */
  readonly used: number;
  /** Number of tenants whose unused instances were closed to make room. */
  readonly evicted: number;
}

export interface HoldOptions {
  /** True inside a scope of the same tenant, which must not wait for its own end. @default false */
  readonly isNested?: boolean;
  /** Called if the scope must wait. */
  readonly onLeave?: OnLeave;
}

/**
 * Limits the total connections of all tenants. A tenant reserves the connections of all its
 * providers at once, so no scope waits with only some of them. If the budget is used up, the
 * instances of the tenant unused for longest are closed; if no tenant is unused, the scope waits in
 * line.
 */
export class ConnectionBudget implements SeatOwner {
  private readonly limit: number;
  private readonly waitMs: number;
  private readonly line: WaitingLine;
  /** Seats for new scopes, by tenantId. */
  private readonly seats = new Map<string, Seat>();
  /** Seats without holders, the longest unused first. */
  private readonly idle = new Set<Seat>();
  /** Seats without holders whose instances are being disposed. */
  private readonly endingSeats = new Set<Seat>();
  /** Connections that one tenant needs. */
  private cost = 0;
  private used = 0;
  /** Connections that are being closed. */
  private ending = 0;
  private evicted = 0;
  private closed = false;
  private turns: NodeJS.Timeout | undefined;

  /** @param end ends the instances of a tenant */
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
   * Adds the connections of a provider to the connections that a tenant needs.
   * @throws TenantOptionError if no tenant could be served
   */
  add(name: string, connections: number | undefined): void {
    if (connections === undefined) {
      throw new TenantOptionError(
        `TenantModule.forRoot has a budget, but ${name} does not set connections. ` +
          `Set it to the maximum number that one instance opens, such as the max of its pool.`,
      );
    }
    this.cost += connections;
    if (this.cost <= this.limit) return;
    throw new TenantOptionError(
      `With ${name}, a tenant needs ${this.cost} connections, but budget.connections is ${this.limit}. ` +
        `Raise the budget or lower connections.`,
    );
  }

  /**
   * Reserves the connections of a tenant, or shares existing ones.
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
   * Returns the seat for an instance outside a scope.
   * @throws TenantConnectionsBusyError, because such code does not wait
   */
  seatNow(tenantId: string): Seat {
    const seat = this.seats.get(tenantId) ?? this.vacant(tenantId);
    if (seat === undefined) throw new TenantConnectionsBusyError(this.waitMs);
    return seat;
  }

  changed(seat: Seat): void {
    if (seat.isEmpty) return this.free(seat);
    if (seat.holders > 0) return;
    // A retired seat's instances are disposed after its last holder has released the seat.
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

  /** Rejects waiting scopes, and new scopes that would have to wait. All others continue. */
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

  /** Gives the waiting tenants their seats, in order, as long as there are connections. */
  private serve(): void {
    if (this.line.size === 0) return;
    let wanted = 0;
    for (const place of this.line) {
      const seat = this.seats.get(place.tenantId);
      if (seat !== undefined) {
        // No tenant waits before this one, so it does not have to yield any longer.
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
   * Makes new scopes of tenants in use wait, so a tenant with continuous requests releases its
   * connections eventually.
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
