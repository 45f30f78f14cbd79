// The header `Mcp-Name`, which may be encoded (MCP 2026-07-28, Streamable HTTP).

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** The name in an `Mcp-Name` header. */
export function nameInHeader(header: string): string {
  const base64 = ENCODED.exec(header.trim())?.[1];
  return base64 === undefined ? header.trim() : Buffer.from(base64, 'base64').toString();
}

/** The value of an `Mcp-Name` header for any name. */
export function nameHeaderOf(name: string): string {
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
