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
