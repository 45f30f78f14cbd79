import type { Seat } from './seat.js';
import type { Place } from './waiting-line.js';

/**
 * In milliseconds. After a tenant was in use for this time, the tenant yields if another tenant has
 * also waited for this time.
 */
const TURN_MS = 200;
/**
 * In milliseconds. A tenant yields for at most this time. If the tenant's requests have not ended
 * then, the tenant continues, and another tenant yields.
 */
const YIELD_MS = 1_000;

/**
 * Chooses the tenants that yield, one for each tenant that waits for connections. New requests of
 * these tenants wait. The tenant that was in use for the longest time yields first.
 */
export function chooseYielding(
  seats: readonly Seat[],
  places: readonly Place[],
  now: number,
): { readonly begin: readonly Seat[]; readonly end: readonly Seat[] } {
  const seated = new Set(seats.map(({ tenantId }) => tenantId));
  const waiting = places.filter(
    ({ tenantId, since }) => !seated.has(tenantId) && now - since >= TURN_MS,
  );
  const yielding = seats.filter(({ yieldingSince }) => yieldingSince !== undefined);
  const end = yielding.filter(({ yieldingSince }) => now - yieldingSince! >= YIELD_MS);
  const begin = seats
    .filter(
      ({ holders, yieldingSince, turnSince }) =>
        holders > 0 && yieldingSince === undefined && now - turnSince >= TURN_MS,
    )
    .toSorted((a, b) => a.turnSince - b.turnSince)
    .slice(0, Math.max(0, waiting.length - yielding.length + end.length));
  return { begin, end };
}
