import { isLoopback } from '@fledge/core/packages';
import { PanelRefusal } from '../panel.errors.js';

/** The parts of a request for the access checks. */
export interface CheckedRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Accepts requests from this machine that use one of its host names. A loopback address alone is
 * not sufficient. With DNS rebinding, a page of another site can send requests from the developer's
 * browser. Also, a proxy on this machine may forward requests of other machines.
 * @param hosts additional host names, in lower case
 * @throws PanelRefusal
 */
export function requireLocal({ headers, socket }: CheckedRequest, hosts: readonly string[]): void {
  const peers = [socket.remoteAddress ?? '', ...forwardedFor(headers)];
  const foreign = peers.find((peer) => !isLoopback(peer));
  if (foreign !== undefined) {
    throw new PanelRefusal(
      403,
      'PANEL_NOT_LOCAL',
      `The panel accepts requests only from this machine, but this request came from ${foreign || 'an unknown address'}. ` +
        'To allow requests from other machines, set PanelModule.forRoot({ authorize }).',
    );
  }
  for (const host of [hostOf(headers) ?? '', ...listOf(headers['x-forwarded-host'])]) {
    if (isLocalHost(host, hosts)) continue;
    throw new PanelRefusal(
      403,
      'PANEL_HOST_NOT_ALLOWED',
      `The host ${JSON.stringify(host.slice(0, 200))} is not a name of this machine. ` +
        "If the host is yours, add it: PanelModule.forRoot({ hosts: ['...'] }).",
    );
  }
}

function isLocalHost(host: string, more: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || more.includes(name)) return true;
  return isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
}

/** Returns the client addresses in the headers of proxies (`X-Forwarded-For`, RFC 7239). */
function forwardedFor(headers: CheckedRequest['headers']): string[] {
  const forwarded = listOf(headers['forwarded']).flatMap((entry) =>
    [...entry.matchAll(/(?:^|;)\s*for=("[^"]*"|[^;]*)/gi)].map(([, value = '']) => value),
  );
  const addresses = [
    ...listOf(headers['x-forwarded-for']),
    ...listOf(headers['x-real-ip']),
    ...forwarded,
  ];
  return addresses.map(bareAddress);
}

/** Removes quotes, brackets and the port: `"[::1]:4711"` becomes `::1`. */
function bareAddress(text: string): string {
  const plain = text.replaceAll('"', '').trim();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(plain);
  if (bracketed) return bracketed[1] as string;
  return /^[\d.]+:\d+$/.test(plain) ? plain.replace(/:\d+$/, '') : plain;
}

function listOf(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());
}

/** Returns the host of a request. HTTP/2 sends the host as `:authority` (RFC 9113 §8.3.1). */
export function hostOf(headers: CheckedRequest['headers']): string | undefined {
  return (headers[':authority'] ?? headers['host'])?.toString();
}
