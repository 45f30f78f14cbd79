import { isIP } from 'node:net';

export type Host =
  | { readonly kind: 'name'; readonly labels: readonly string[] }
  /** An IP address. IP addresses have no subdomains. */
  | { readonly kind: 'address' }
  | { readonly kind: 'malformed' };

const ADDRESS = { kind: 'address' } as const;
const MALFORMED = { kind: 'malformed' } as const;

/**
 * Parses `host[:port]` (RFC 9110 §7.2) into labels in lower case. Removes the trailing dot.
 * Stricter than `new URL()` and `url.domainToASCII()`. They accept `acme.example.com/evil`, a tab
 * at the end, and the user part of `acme.example.com@evil.com`.
 */
export function parseHost(host: string): Host {
  if (host.startsWith('[')) return isBracketedAddress(host) ? ADDRESS : MALFORMED;
  const [, name, port] = /^([A-Za-z0-9.-]{1,254})(?::(\d{0,5}))?$/.exec(host) ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return MALFORMED;

  const labels = name.replace(/\.$/, '').toLowerCase().split('.');
  if (!labels.every((label) => LABEL.test(label))) return MALFORMED;
  // A number is not a top-level domain. Old resolvers treat `127.1` as an address (RFC 3696 §2).
  return /^(\d+|0x[\da-f]*)$/.test(labels.at(-1) as string) ? ADDRESS : { kind: 'name', labels };
}

/** A label has at most 63 characters, and no hyphen at its start or end (RFC 1123 §2.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function isBracketedAddress(host: string): boolean {
  const [, address] = /^\[([^\]]+)\](?::\d{0,5})?$/.exec(host) ?? [];
  return isIP(address ?? '') === 6;
}
