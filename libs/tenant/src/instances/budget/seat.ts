/** What a tenant has of the budget: the connections of its instances, of all providers together. */
export class Seat {
  /** How many scopes use the tenant's instances. */
  holders = 0;
  /** How many instances are not disposed of yet. */
  instances = 0;
  /** New scopes do not get it. Its connections count until its instances are disposed of. */
  retired = false;
  /** Its connections do not count any more. */
  freed = false;
  /** When the tenant was last given the instances. */
  turnSince = performance.now();
  /** Since when new scopes wait behind other tenants. Undefined if they do not. */
  yieldingSince: number | undefined;

  constructor(
    readonly tenantId: string,
    /** Connections of the tenant. */
    readonly cost: number,
    private readonly owner: SeatOwner,
  ) {}

  /** True if no scope holds it and all of its instances are disposed of. */
  get isEmpty(): boolean {
    return this.holders === 0 && this.instances === 0;
  }

  /** Counts an instance until the returned function is called. Further calls do nothing. */
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

  /** Ends all instances of the tenant, those in use after their last scope. */
  retire(): void {
    this.owner.retire(this);
  }
}

/** The budget that a seat belongs to. */
export interface SeatOwner {
  /** Called when a seat has fewer holders or instances. */
  changed(seat: Seat): void;
  retire(seat: Seat): void;
}
