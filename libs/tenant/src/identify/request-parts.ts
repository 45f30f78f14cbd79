import { originOf } from '@fledge/core';
import type { TenantRequest } from '../tenant.options.js';

/** The request target as sent, whatever mounts have cut from `req.url` since. */
export function targetOf(req: TenantRequest): string {
  return req.originalUrl ?? req.url;
}

/**
 * The target of whoever asked. A request made on behalf of another, as a tool call is, has a target
 * that is made of arguments: those must not tell its tenant.
 */
export function callersTargetOf(req: TenantRequest): string {
  // What asked over stdio has no target.
  return targetOf(originOf(req) ?? req) ?? '';
}

/** Where the path of a request target begins and ends (RFC 9112 §3.2). */
export interface PathRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The path of a target. Found by its place in the text: `new URL()` would resolve dots and turn
 * backslashes, and so see another path than the router does.
 */
export function pathRangeOf(target: string): PathRange {
  const start = target.startsWith('/') ? 0 : lengthOfOrigin(target);
  const end = target.slice(start).search(/[?#]/);
  return { start, end: end === -1 ? target.length : start + end };
}

/** The query of a target, without its question mark; '' without one. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return '';
  const hash = target.indexOf('#');
  if (hash === -1) return target.slice(mark + 1);
  return hash < mark ? '' : target.slice(mark + 1, hash);
}

/** How often a header was sent: Node joins some that were repeated, and of others keeps the first. */
export function timesSent(req: TenantRequest, header: string): number {
  const rawHeaders = req['rawHeaders'] ?? req.raw?.['rawHeaders'];
  // Requests somebody made up have none; their headers are what they are.
  if (!Array.isArray(rawHeaders)) return Array.isArray(req.headers[header]) ? 2 : 1;
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name: unknown = rawHeaders[i];
    if (typeof name !== 'string' || name.length !== header.length) continue;
    if (name.toLowerCase() === header) times++;
  }
  return times;
}

/** The address of whoever opened the connection; undefined for one of no address, such as a Unix socket. */
export function peerAddressOf(req: TenantRequest): string | undefined {
  const socket = req['socket'] ?? req.raw?.['socket'];
  const address = (socket as { remoteAddress?: unknown } | undefined)?.remoteAddress;
  return typeof address === 'string' ? address : undefined;
}

/** Of `http://host/path`, as proxies send it, what stands before the path. */
function lengthOfOrigin(target: string): number {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i.exec(target)?.[0].length ?? 0;
}
