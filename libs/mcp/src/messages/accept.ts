import { acceptedRanges, acceptedWeight } from '@fledge/core/packages';

/** What most clients send. */
const BOTH = 'application/json, text/event-stream';

/**
 * True if a client takes both JSON and event streams as the response to a POST. A request without `Accept` takes
 * any media type (RFC 9110 §12.5.1).
 */
export function takesAnswers(accept: string | undefined): boolean {
  if (accept === undefined || accept === BOTH) return true;
  const ranges = acceptedRanges(accept);
  return BOTH.split(', ').every((type) => acceptedWeight(ranges, type) > 0);
}

/** True if a client asks for an event stream by name. Browsers that open a page accept any type, but no stream. */
export function asksForStream(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    acceptedRanges(accept).some(([type, weight]) => type === 'text/event-stream' && weight > 0)
  );
}
