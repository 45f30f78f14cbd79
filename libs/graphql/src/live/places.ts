import { Logger } from '@nestjs/common';
import { RareWarnings } from '@fledge/core/packages';
import { networkOf } from '../context/client-address.js';
import type { ResolvedLimits } from '../option-tables.js';

/** What takes a place: an open socket, or a running operation of a socket or event stream. */
export type PlaceKind = 'sockets' | 'operations';

/** Why there is no place: the limit of the client's address, or that of the endpoint, is reached. */
export type Full = 'address' | 'endpoint';

const logger = new Logger('GraphQL');

/**
 * Counts the open sockets and the running operations of an endpoint, by the address of their client. Clients can
 * choose their headers, but not their address.
 */
export class Places {
  private readonly counts = {
    sockets: new Map<string, number>(),
    operations: new Map<string, number>(),
  };
  private readonly totals = { sockets: 0, operations: 0 };
  private readonly warnings = new RareWarnings(logger);

  constructor(private readonly limits: Pick<ResolvedLimits, 'maxPerAddress' | 'maxPerEndpoint'>) {}

  /** Takes a place. Returns a function that frees it, once, or the limit that is reached. */
  take(kind: PlaceKind, address = 'unknown'): (() => void) | Full {
    const network = networkOf(address);
    const counts = this.counts[kind];
    const used = counts.get(network) ?? 0;
    if (used >= this.limits.maxPerAddress) return this.full('address', kind, address);
    if (this.totals[kind] >= this.limits.maxPerEndpoint)
      return this.full('endpoint', kind, address);
    counts.set(network, used + 1);
    this.totals[kind] += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.free(kind, network);
      isTaken = false;
    };
  }

  private free(kind: PlaceKind, network: string): void {
    const left = (this.counts[kind].get(network) ?? 1) - 1;
    if (left === 0) this.counts[kind].delete(network);
    else this.counts[kind].set(network, left);
    this.totals[kind] -= 1;
  }

  private full(limit: Full, kind: PlaceKind, address: string): Full {
    const { maxPerAddress, maxPerEndpoint } = this.limits;
    this.warnings.warn(() =>
      limit === 'address'
        ? `${address} has ${maxPerAddress} ${kind} (maxPerAddress), and gets no more. If it is a proxy, set ` +
          "Express' `trust proxy` or Fastify's `trustProxy`, so that its clients are counted one by one."
        : `An endpoint has ${maxPerEndpoint} ${kind} (maxPerEndpoint), and takes no more.`,
    );
    return limit;
  }
}
