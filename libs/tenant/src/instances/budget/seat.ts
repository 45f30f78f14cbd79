/** A tenant's share of the budget: the connections of its instances, of all providers together. */
export class Seat {
  /** Number of scopes that use the tenant's instances. */
  holders = 0;
  /** Number of instances that are not disposed yet. */
  instances = 0;
  /**
   * True if new scopes do not use the seat. Its connections count until its instances are disposed.
   */
  retired = false;
  /** True if its connections no longer count. */
  freed = false;
  /** Time when the tenant last received the instances. */
  turnSince = performance.now();
  /** Time since which new scopes wait behind other tenants. Undefined if they do not wait. */
  yieldingSince: number | undefined;

  constructor(
    readonly tenantId: string,
    /** Connections of the tenant. */
    readonly cost: number,
    private readonly owner: SeatOwner,
  ) {}

  /** True if no scope holds the seat and all its instances are disposed. */
  get isEmpty(): boolean {
    return this.holders === 0 && this.instances === 0;
  }

  /** Counts an instance until the returned function is called. Calling it again has no effect. */
  share(): () => void {
    this.instances += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.instances -= 1;
      this.owner.changed(this);
    };
  }

  /** Closes all instances of the tenant. Instances in use are closed after their last scope. */
  retire(): void {
    this.owner.retire(this);
  }
}

/** The budget of a seat. */
export interface SeatOwner {
  /** Called when the number of holders or instances of a seat decreases. */
  changed(seat: Seat): void;
  retire(seat: Seat): void;
}
