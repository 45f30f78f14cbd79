import { acceptedRanges, acceptedWeight } from '@fledge/core/packages';

/** The value of `Accept` that most clients send. */
const BOTH = 'application/json, text/event-stream';

/**
 * Returns true if a client accepts both JSON and event streams. Clients must accept both in a POST.
 * Without the header `Accept`, any media type is accepted (RFC 9110 §12.5.1).
 */
export function takesAnswers(accept: string | undefined): boolean {
  if (accept === undefined || accept === BOTH) return true;
  const ranges = acceptedRanges(accept);
  return BOTH.split(', ').every((type) => acceptedWeight(ranges, type) > 0);
}

/**
 * Returns true if `Accept` contains `text/event-stream`. A wildcard is not enough: browsers that
 * open a page also send a wildcard, but browsers do not expect a stream.
 */
export function asksForStream(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    acceptedRanges(accept).some(([type, weight]) => type === 'text/event-stream' && weight > 0)
  );
}

export function headerText(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).trim();
}

// Some headers repeat a part of the message. The values of such headers may be base64 (MCP
// 2026-07-28, Streamable HTTP).

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** Decodes a header such as `Mcp-Name`. Returns undefined if the value is malformed. */
export function decodeHeader(sent: string): string | undefined {
  const value = sent.trim();
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const base64 = ENCODED.exec(value)?.[1];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Buffer ignores invalid base64 characters. The value is valid only if encoding it again returns
  // the same string.
  if (bytes.toString('base64') !== base64) return undefined;
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
