import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/**
 * Returns true if the metadata document of a client may be fetched (Client ID Metadata Documents).
 * The URL is untrusted, so it must not point into the internal network. oidc-provider checks the
 * format and the size of the document, the time of the request, and the address of the connection.
 * oidc-provider follows no redirects.
 */
export async function mayFetchDocument(clientId: string): Promise<boolean> {
  const { pathname, hostname } = new URL(clientId);
  // The draft requires a path, because a host alone does not identify a document.
  if (pathname === '/') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isPublic(address));
}

// One list for each version, because Node.js also compares IPv4 addresses with IPv6 subnets.
const notPublic = { 4: new BlockList(), 6: new BlockList() };
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  notPublic[4].addSubnet(network, bits, 'ipv4');
}
// Only 2000::/3 of IPv6 is in use on the Internet; 2002::/16 embeds IPv4 addresses.
notPublic[6].addSubnet('::', 3, 'ipv6');
notPublic[6].addSubnet('4000::', 2, 'ipv6');
notPublic[6].addSubnet('8000::', 1, 'ipv6');
notPublic[6].addSubnet('2002::', 16, 'ipv6');

/** Returns true if an IP address is public (RFC 6890). */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !notPublic[4].check(address, 'ipv4');
  return version === 6 && !notPublic[6].check(address, 'ipv6');
}
