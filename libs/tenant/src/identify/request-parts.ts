import { originOf } from '@fledge/core/packages';
import type { TenantRequest } from '../tenant.options.js';

/** `req.url` may be shorter in a mounted application. */
export function readTarget(req: TenantRequest): string {
  return req.originalUrl ?? req.url;
}

/**
 * For a tool call, returns the target of the MCP request. The target of the inner request contains
 * the tool's arguments, and arguments must not select the tenant.
 */
export function readCallersTarget(req: TenantRequest): string {
  // A call over stdio has no request target.
  return readTarget(originOf(req) ?? req) ?? '';
}

/** Start and end of the path in a request target (RFC 9112 §3.2). */
export interface PathRange {
  readonly start: number;
  readonly end: number;
}

/** `new URL()` is not used, because it resolves dots and converts backslashes, unlike routers. */
export function findPath(target: string): PathRange {
  const start = target.startsWith('/') ? 0 : lengthOfOrigin(target);
  const end = target.slice(start).search(/[?#]/);
  return { start, end: end === -1 ? target.length : start + end };
}

/** Without the question mark. Returns '' if the target has no query string. */
export function findQuery(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return '';
  const hash = target.indexOf('#');
  if (hash === -1) return target.slice(mark + 1);
  return hash < mark ? '' : target.slice(mark + 1, hash);
}

/** If a header is repeated, Node.js joins the values or keeps only the first value. */
export function countSent(req: TenantRequest, header: string): number {
  const rawHeaders = req['rawHeaders'] ?? req.raw?.['rawHeaders'];
  // Requests without a socket, such as mocks, have no rawHeaders.
  if (!Array.isArray(rawHeaders)) return Array.isArray(req.headers[header]) ? 2 : 1;
  let times = 0;
  // Names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (String(rawHeaders[i]).toLowerCase() === header) times += 1;
  }
  return times;
}

/** Returns undefined if there is none, for example on a Unix socket. */
export function readPeerAddress(req: TenantRequest): string | undefined {
  const socket = req['socket'] ?? req.raw?.['socket'];
  const address = (socket as { remoteAddress?: unknown } | undefined)?.remoteAddress;
  return typeof address === 'string' ? address : undefined;
}

/** Proxies send targets such as `http://host/path`. */
function lengthOfOrigin(target: string): number {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(target)?.[0].length ?? 0;
}
