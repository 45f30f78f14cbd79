import { LONGEST_TIMER_MS } from '@fledge/core/packages';
import { ClsServiceManager } from 'nestjs-cls';
import { TenantConnectionsBusyError } from '../../tenant.errors.js';
import type { Seat } from './seat.js';

/** Registers a callback that ends the wait early, for example if the client disconnects. */
export type OnLeave = (leave: () => void) => void;

/** Counters of scopes that waited for connections. */
export interface WaitingCounts {
  /** Scopes that wait now. */
  readonly waiting: number;
  /** Total number of scopes that have waited, including rejected scopes. */
  readonly waited: number;
  /** Total waiting time of all scopes in milliseconds. */
  readonly waitedMs: number;
  /** Number of scopes that were rejected after `waitMs`. */
  readonly timedOut: number;
  /** Number of scopes whose client disconnected while they waited. */
  readonly left: number;
}

/** The waiting scopes of a tenant. They get the tenant's seat together. */
export interface Place {
  readonly tenantId: string;
  readonly since: number;
  readonly scopes: Set<WaitingScope>;
}

interface WaitingScope {
  readonly admit: (seat: Seat) => void;
  readonly refuse: () => void;
}

/** Each tenant has one place, even if several of its requests wait. */
export class WaitingLine {
  private readonly places = new Map<string, Place>();
  private readonly counted = { waited: 0, waitedMs: 0, timedOut: 0, left: 0 };
  private waiting = 0;

  constructor(private readonly waitMs: number) {}

  get size(): number {
    return this.places.size;
  }

  get counts(): WaitingCounts {
    return { waiting: this.waiting, ...this.counted };
  }

  /** In order of arrival. Places may be removed during the iteration. */
  [Symbol.iterator](): Iterator<Place> {
    return this.places.values();
  }

  /**
   * @throws TenantConnectionsBusyError if `waitMs` has passed, if the client disconnects, or if the
   * application shuts down
   */
  wait(tenantId: string, onLeave?: OnLeave): Promise<Seat> {
    const place = this.places.get(tenantId) ?? this.open(tenantId);
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const done = () => {
        clearTimeout(timer);
        if (!place.scopes.delete(scope)) return false;
        this.waiting -= 1;
        this.counted.waitedMs += performance.now() - since;
        if (place.scopes.size === 0) this.places.delete(tenantId);
        return true;
      };
      const scope: WaitingScope = {
        admit: (seat) => done() && resolve(seat),
        refuse: () => done() && reject(new TenantConnectionsBusyError(this.waitMs)),
      };
      const give = (reason: 'timedOut' | 'left') => {
        if (!place.scopes.has(scope)) return;
        this.counted[reason] += 1;
        scope.refuse();
      };
      const timer =
        this.waitMs === Infinity ? undefined : startTimer(this.waitMs, () => give('timedOut'));
      place.scopes.add(scope);
      this.waiting += 1;
      this.counted.waited += 1;
      onLeave?.(() => give('left'));
    });
  }

  admit(place: Place, seat: Seat): void {
    for (const scope of [...place.scopes]) {
      seat.holders += 1;
      scope.admit(seat);
    }
  }

  admitTenant(seat: Seat): void {
    const place = this.places.get(seat.tenantId);
    if (place !== undefined) this.admit(place, seat);
  }

  refuseAll(): void {
    for (const place of [...this.places.values()]) {
      for (const scope of [...place.scopes]) scope.refuse();
    }
  }

  private open(tenantId: string): Place {
    const place = { tenantId, since: performance.now(), scopes: new Set<WaitingScope>() };
    this.places.set(tenantId, place);
    return place;
  }
}

const cls = ClsServiceManager.getClsService();

/** Outside the current async context. Otherwise, the timer would keep the context in memory. */
export function startTimer(ms: number, run: () => void): NodeJS.Timeout {
  return cls.exit(() => setTimeout(run, Math.min(ms, LONGEST_TIMER_MS)));
}
