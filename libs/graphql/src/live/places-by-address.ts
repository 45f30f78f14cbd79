import { Logger } from '@nestjs/common';
import { RareWarnings } from '@fledge/core/packages';
import { networkOf } from '../context/client-address.js';
import type { ResolvedLimits } from '../graphql.defaults.js';

/**
 * The kinds of places: one place for each open socket, and one for each running operation of a
 * socket or event stream.
 */
export type PlaceKind = 'sockets' | 'operations';

/**
 * The limit that was reached: the limit for the client's address, or the limit for the endpoint.
 */
export type Full = 'address' | 'endpoint';

const logger = new Logger('GraphQL');

/**
 * Counts the open sockets and the running operations of an endpoint by client address. Clients can
 * change their headers, but not their address.
 */
export class Places {
  /** Number of used places, by kind, and by kind and network. */
  private readonly taken = new Map<string, number>();
  private readonly warnings = new RareWarnings(logger);

  constructor(private readonly limits: Pick<ResolvedLimits, 'maxPerAddress' | 'maxPerEndpoint'>) {}

  /**
   * Takes a place. Returns a function that frees the place. Only the first call of this function
   * has an effect. If a limit is reached, returns the name of the limit instead.
   */
  take(kind: PlaceKind, address = 'unknown'): (() => void) | Full {
    const ofClient = `${kind} ${networkOf(address)}`;
    if (this.count(ofClient) >= this.limits.maxPerAddress)
      return this.full('address', kind, address);
    if (this.count(kind) >= this.limits.maxPerEndpoint) return this.full('endpoint', kind, address);
    for (const key of [ofClient, kind]) this.taken.set(key, this.count(key) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.free([ofClient, kind]);
      isTaken = false;
    };
  }

  private count(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  private free(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.count(key) > 1) this.taken.set(key, this.count(key) - 1);
      else this.taken.delete(key);
    }
  }

  private full(limit: Full, kind: PlaceKind, address: string): Full {
    const { maxPerAddress, maxPerEndpoint } = this.limits;
    this.warnings.warn(() =>
      limit === 'address'
        ? `${address} has ${maxPerAddress} ${kind} (maxPerAddress), so further ${kind} are rejected. If the address is a ` +
          'proxy, set `trust proxy` of Express or `trustProxy` of Fastify to count each client of the proxy separately.'
        : `An endpoint has ${maxPerEndpoint} ${kind} (maxPerEndpoint), so further ${kind} are rejected.`,
    );
    return limit;
  }
}
