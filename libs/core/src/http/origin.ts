/**
 * Returns `scheme://host[:port]` as browsers send it in `Origin`. A default port is omitted, and
 * every scheme is allowed, such as `chrome-extension`. Returns undefined for any other string.
 */
export function pageOrigin(text: string): string | undefined {
  if (text.includes('*') || !URL.canParse(text)) return undefined;
  // `URL.origin` is 'null' for unknown schemes.
  const { protocol, host, href } = new URL(text);
  const origin = `${protocol}//${host}`;
  return host !== '' && (href === origin || href === `${origin}/`) ? origin : undefined;
}

/**
 * Returns true if an `Origin` belongs to the server itself: http or https, with the host of the
 * request. Compares URLs, which omit the default port.
 * @param host the header `Host`
 */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  if (!/^https?:\/\//.test(origin) || host === undefined) return false;
  const own = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).host === new URL(own).host;
}

/** Names of this machine in URLs. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns true for an address of this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address ?? '');
}
