import type { IncomingMessage } from 'node:http';
import { ErrorCode } from '../messages/json-rpc.js';
import type { Refusal } from '../messages/refusals.js';

export interface OriginRules {
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
}

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request comes from where it may not; undefined where it may (MCP 2025-11-25, Streamable
 * HTTP, security warning). Requests without `Origin` come from no browser page and pass. Of those
 * that have one, localhost, the listed and the request's own host pass. The last does not hold for a
 * server reached over loopback under a public name: that is how a page attacks by DNS rebinding, so
 * behind a proxy on the same machine the origin must be listed.
 */
export function originRefusal(
  { headers: { origin, host }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { allowedOrigins, allowedHosts }: OriginRules,
): Refusal | undefined {
  if (allowedHosts && !allowedHosts.has(hostNameOf(host ?? ''))) {
    return forbidden(`Host ${JSON.stringify(host ?? '')} is not in allowedHosts`);
  }
  if (origin === undefined || allowedOrigins.has(origin)) return undefined;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    if (LOCAL_HOSTS.has(url.hostname)) return undefined;
    if (url.host === host?.toLowerCase() && !isLoopback(socket.localAddress)) return undefined;
  }
  return forbidden(`Origin ${JSON.stringify(origin)} is not in allowedOrigins`);
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}

function hostNameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function forbidden(reason: string): Refusal {
  return { status: 403, code: ErrorCode.Refused, message: `Forbidden: ${reason}` };
}
