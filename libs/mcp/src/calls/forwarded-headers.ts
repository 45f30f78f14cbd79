/**
 * Always carried over, since they say who calls and how the application was reached: routes,
 * throttlers and subdomain tenants then see the real caller.
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
 * A function that picks the headers of an MCP request that reach the route: those of its origin and
 * the allow-list, in their order and each as often as it came.
 * @param allowed lower-cased names
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
