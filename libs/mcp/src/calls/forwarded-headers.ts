/**
 * Headers that are always forwarded. They identify the caller and the address it used, so that routes,
 * throttlers and subdomain tenants see the real caller.
 */
const ORIGIN_HEADERS = [
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * Returns a function that selects the headers of an MCP request that reach the route: the origin headers
 * and the allowed ones. Order and repeated headers are kept.
 * @param allowed names in lower case
 */
export function headerFilter(
  allowed: readonly string[],
): (rawHeaders: readonly string[]) => string[] {
  const passing = new Set([...ORIGIN_HEADERS, ...allowed]);
  return (rawHeaders) => {
    const kept: string[] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (passing.has(name) || passing.has(name.toLowerCase())) {
        kept.push(name, rawHeaders[i + 1] as string);
      }
    }
    return kept;
  };
}
