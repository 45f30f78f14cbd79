/**
 * Returns `scheme://host[:port]` as a browser sends it in `Origin`: without a default port, and with any scheme, such
 * as `chrome-extension`. Undefined for a text that is something else.
 */
export function pageOrigin(text: string): string | undefined {
  if (text.includes('*') || !URL.canParse(text)) return undefined;
  // `URL.origin` is 'null' for schemes that it does not know.
  const { protocol, host, href } = new URL(text);
  const origin = `${protocol}//${host}`;
  return host !== '' && (href === origin || href === `${origin}/`) ? origin : undefined;
}
