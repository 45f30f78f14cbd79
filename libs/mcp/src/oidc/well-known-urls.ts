/**
 * URLs at which an issuer may publish its metadata, in the order of MCP 2026-07-28 (Authorization): RFC 8414, OpenID
 * Connect with the well-known part before the path, then after it.
 */
export function wellKnownUrlsOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}
