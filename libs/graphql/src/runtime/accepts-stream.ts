import { acceptedRanges } from '@fledge/core/packages';

const STREAM = 'text/event-stream';
const JSON_TYPES = new Set([
  'application/graphql-response+json',
  'application/json',
  'application/*',
  '*/*',
]);

/**
 * Returns whether a client accepts an event stream: `'preferred'` before JSON, `'possible'` after JSON.
 * Wildcards do not count as streams. Undefined for clients that do not accept one.
 */
export function acceptedStream(accept: string | undefined): 'preferred' | 'possible' | undefined {
  // Most clients do not name it.
  if (!accept?.toLowerCase().includes(STREAM)) return undefined;
  const weights = acceptedRanges(accept);
  const stream = weights.find(([type]) => type === STREAM);
  if (stream === undefined || stream[1] === 0) return undefined;
  // Of equal weights, the first in the list counts as preferred.
  const best = weights
    .filter(([type]) => type === STREAM || JSON_TYPES.has(type))
    .reduce((first, next) => (next[1] > first[1] ? next : first));
  return best === stream ? 'preferred' : 'possible';
}
