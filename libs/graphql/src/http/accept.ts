import { acceptedRanges, acceptedWeight } from '@fledge/core/packages';

export const GRAPHQL_TYPE = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

export type JsonType = typeof GRAPHQL_TYPE | typeof JSON_TYPE;

/** How a client may be answered, by its `Accept` header. */
export interface Accepted {
  /** Undefined for a client that accepts neither type. */
  readonly json: JsonType | undefined;
  /** Whether the client names event streams: before JSON, or after it. */
  readonly stream: 'preferred' | 'possible' | undefined;
}

const ANYTHING: Accepted = { json: JSON_TYPE, stream: undefined };

type Ranges = ReturnType<typeof acceptedRanges>;

/** Reads an `Accept` header (RFC 9110 §12.5.1). A client that sends none, or wildcards only, gets JSON. */
export function readAccept(accept: string | undefined): Accepted {
  if (!accept || accept === '*/*') return ANYTHING;
  const found = known.get(accept);
  if (found !== undefined) return found;
  const ranges = acceptedRanges(accept);
  const read: Accepted = { json: jsonTypeIn(ranges), stream: streamIn(ranges) };
  if (known.size < MAX_KNOWN) known.set(accept, read);
  return read;
}

/** Clients send few different headers, and to read one takes about a tenth of a small request. */
const known = new Map<string, Accepted>();
const MAX_KNOWN = 100;

function jsonTypeIn(ranges: Ranges): JsonType | undefined {
  const graphql = acceptedWeight(ranges, GRAPHQL_TYPE);
  const json = acceptedWeight(ranges, JSON_TYPE);
  if (graphql === 0 && json === 0) return undefined;
  if (graphql !== json) return graphql > json ? GRAPHQL_TYPE : JSON_TYPE;
  // Of equal weights, the first one that the client names.
  const named = ranges.find(([range]) => range === GRAPHQL_TYPE || range === JSON_TYPE);
  return named?.[0] === GRAPHQL_TYPE ? GRAPHQL_TYPE : JSON_TYPE;
}

const JSON_RANGES = new Set<string>([GRAPHQL_TYPE, JSON_TYPE, 'application/*', '*/*']);

/** Wildcards do not count as streams. Of equal weights, the first in the list counts as preferred. */
function streamIn(ranges: Ranges): Accepted['stream'] {
  const stream = ranges.find(([range]) => range === STREAM_TYPE);
  if (stream === undefined || stream[1] === 0) return undefined;
  const best = ranges
    .filter(([range]) => range === STREAM_TYPE || JSON_RANGES.has(range))
    .reduce((first, next) => (next[1] > first[1] ? next : first));
  return best === stream ? 'preferred' : 'possible';
}
