import { isIP } from 'node:net';

/** What a `Host` header names. */
export type Host =
  | { readonly kind: 'name'; readonly labels: readonly string[] }
  /** An IP address: it has no subdomains. */
  | { readonly kind: 'address' }
  | { readonly kind: 'malformed' };

const ADDRESS = { kind: 'address' } as const;
const MALFORMED = { kind: 'malformed' } as const;

/**
 * Reads `host[:port]` (RFC 9110 §7.2), lower-cased and without the root's trailing dot. Strict on
 * purpose: `new URL()` and `url.domainToASCII()` accept `acme.example.com/evil` and a trailing tab,
 * and a user part makes `acme.example.com@evil.com` another host.
 */
export function parseHost(host: string): Host {
  if (host.startsWith('[')) return isBracketedAddress(host) ? ADDRESS : MALFORMED;
  const [, name, port] = /^([A-Za-z0-9.-]{1,254})(?::(\d{0,5}))?$/.exec(host) ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return MALFORMED;

  const labels = name.replace(/\.$/, '').toLowerCase().split('.');
  if (!labels.every((label) => LABEL.test(label))) return MALFORMED;
  // No top-level domain is a number, and old resolvers take `127.1` for an address (RFC 3696 §2).
  return /^(\d+|0x[\da-f]*)$/.test(labels.at(-1) as string) ? ADDRESS : { kind: 'name', labels };
}

/** RFC 1123 §2.1: letters, digits and inner hyphens, 63 at most. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isBracketedAddress(host: string): boolean {
  const [, address] = /^\[([^\]]+)\](?::\d{0,5})?$/.exec(host) ?? [];
  return isIP(address ?? '') === 6;
}
