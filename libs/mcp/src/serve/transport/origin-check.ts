import { isLoopback, isOwnOrigin, LOOPBACK_HOSTS } from '@fledge/core/packages';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '../protocol/json-rpc.js';
import type { Refusal } from '../protocol/refusals.js';

export interface OriginRules {
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
}

/**
 * Checks the host and the origin of a request. Returns a refusal if one of them is not allowed (MCP
 * 2025-11-25, Streamable HTTP, security warning). A request without `Origin` does not come from a
 * web page and is accepted. Otherwise, the origin must be localhost, in `allowedOrigins`, or the
 * request's own host. A request over loopback is an exception: the request's own host is not
 * accepted, because a DNS rebinding attack looks the same. So behind a proxy on the same machine,
 * the origin must be in `allowedOrigins`.
 */
export function originRefusal(
  { headers: { origin, host }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { allowedOrigins, allowedHosts }: OriginRules,
): Refusal | undefined {
  if (allowedHosts && !allowedHosts.has(hostNameOf(host ?? ''))) {
    return forbidden(`Host ${JSON.stringify(host ?? '')} is not in allowedHosts`);
  }
  if (origin === undefined || allowedOrigins.has(origin)) return undefined;
  if (isLocal(origin)) return undefined;
  if (isOwnOrigin(origin, host) && !isLoopback(socket.localAddress)) return undefined;
  return forbidden(`Origin ${JSON.stringify(origin)} is not in allowedOrigins`);
}

function isLocal(origin: string): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  return LOOPBACK_HOSTS.has(new URL(origin).hostname);
}

function hostNameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function forbidden(reason: string): Refusal {
  return { status: 403, code: ErrorCode.Refused, message: `Forbidden: ${reason}` };
}

/** Browsers cache the response to a preflight. This is the maximum in Chromium. */
const PREFLIGHT_SECONDS = '7200';

/**
 * For an endpoint that the application's CORS middleware does not reach. Web pages of accepted
 * origins may read the responses. Returns true if a preflight was answered.
 */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  rules: OriginRules,
): boolean {
  const { method, headers } = request;
  const { origin } = headers;
  if (origin === undefined) return false;
  response.setHeader('vary', 'Origin');
  if (originRefusal(request, rules) !== undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  const names = headers['access-control-request-headers'];
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    ...(names !== undefined && { 'access-control-allow-headers': names }),
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  response.end();
  return true;
}
