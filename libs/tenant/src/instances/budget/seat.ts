import { once } from '../../once.js';
/**
 * A tenant's share of the budget. It contains the connections of the tenant's instances, of all
 * providers.
 */
export class Seat {
  /** Number of scopes that use the tenant's instances. */
  holders = 0;
  /** Number of instances that are not disposed yet. */
  instances = 0;
  /**
   * True if new scopes must not use the seat. The seat's connections are counted until the seat's
   * instances are disposed.
   */
  retired = false;
  /** True if the seat's connections are not counted anymore. */
  freed = false;
  /** The time when the tenant last got the seat. */
  turnSince = performance.now();
  /** Since this time, new scopes wait behind other tenants. Undefined if new scopes do not wait. */
  yieldingSince: number | undefined;

  constructor(
    readonly tenantId: string,
    /** The number of connections of the tenant. */
    readonly cost: number,
    private readonly owner: SeatOwner,
  ) {}

  /** True if no scope uses the seat and all its instances are disposed. */
  get isEmpty(): boolean {
    return this.holders === 0 && this.instances === 0;
  }

  /**
   * Counts an instance. The returned function ends the count. Only the first call of that function
   * has an effect.
   */
  share(): () => void {
    this.instances += 1;
    return once(() => {
      this.instances -= 1;
      this.owner.changed(this);
    });
  }

  /**
   * Closes all instances of the tenant. An instance in use is closed after its last scope has
   * ended.
   */
  retire(): void {
    this.owner.retire(this);
  }
}

/** The budget of a seat. */
export interface SeatOwner {
  /** Called if a seat has fewer scopes or instances than before. */
  changed(seat: Seat): void;
  retire(seat: Seat): void;
}
