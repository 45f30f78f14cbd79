/** Always forwarded: throttlers and subdomain tenants need the address and the requested host. */
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

export type HeaderFilter = (rawHeaders: readonly string[]) => readonly string[];

/**
 * Selects the headers to forward to routes. Keeps their order and repeated headers.
 * @param allowed header names in lower case
 */
export function headerFilter(allowed: readonly string[]): HeaderFilter {
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

/**
 * Removes headers.
 * @param names in lower case
 */
export function headersWithout(
  rawHeaders: readonly string[],
  names: ReadonlySet<string>,
): string[] {
  return headerPairs(rawHeaders)
    .filter(([name]) => !names.has(name.toLowerCase()))
    .flat();
}

/** @param rawHeaders alternating names and values */
export function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] as string, rawHeaders[i + 1] as string]);
  }
  return pairs;
}
