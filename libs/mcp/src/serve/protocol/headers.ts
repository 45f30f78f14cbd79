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

// Headers that repeat what a message contains. Their values may be encoded (MCP 2026-07-28, Streamable HTTP).

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Decodes the value of a header such as `Mcp-Name`. Undefined if it is not well-formed. */
export function decodeHeader(sent: string): string | undefined {
  const value = sent.trim();
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Buffer skips what is no base64: only what encodes to the same text was well-formed.
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
