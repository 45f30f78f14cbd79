import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { CallerTenant } from '@fledge/core/packages';
import type { CallWatch } from '../observe/call-watch.js';
import { type HeaderFilter, headerPairs, headersWithout } from './forwarded-headers.js';
import type { McpPrincipal, McpRequest } from '../../options/auth-options.js';

/** The HTTP request that contained the MCP message. */
export type CallOrigin = Pick<IncomingMessage, 'rawHeaders' | 'headers'> & {
  readonly socket: Socket;
  readonly httpVersion?: string;
};

/** The sender of an MCP message, and the request that contained the message. */
export interface Caller {
  readonly origin: CallOrigin;
  /** Headers to forward to routes, as alternating names and values. */
  readonly forwarded: readonly string[];
  /** Result of `auth.validate` for the sender's token. */
  readonly principal: McpPrincipal | undefined;
  /** Tenant of the message, for keys of stored values. Undefined: unknown. Routes find their own. */
  readonly tenant: CallerTenant;
  /** Path of the endpoint that received the message. */
  readonly endpoint: string;
  /** The argument of `visible`. */
  readonly request: McpRequest;
  /** Records the call. Undefined if nothing observes calls. */
  readonly watch?: CallWatch | undefined;
  /** `call_tool` or `read_tool`, if the client called a tool through one of these tools. */
  readonly via?: string | undefined;
}

/**
 * Creates a caller without a watch. Only this function creates callers: if callers had different
 * property layouts, every call would be 10 % slower.
 */
export function callerOf(
  origin: CallOrigin,
  pickHeaders: HeaderFilter,
  endpoint: string,
  { principal, tenant }: Partial<Pick<Caller, 'principal' | 'tenant'>> = {},
): Caller {
  const { headers, socket, rawHeaders } = origin;
  const forwarded = pickHeaders(rawHeaders);
  const request = { headers, remoteAddress: socket.remoteAddress, principal, endpoint };
  return {
    origin,
    forwarded,
    principal,
    tenant,
    endpoint,
    request,
    watch: undefined,
    via: undefined,
  };
}

/** Returns the caller without the session id of its request. The returned caller has no watch. */
export function withoutSession(caller: Caller): Caller {
  const { origin, forwarded, request } = caller;
  const { 'mcp-session-id': session, ...headers } = origin.headers;
  if (session === undefined) return caller;
  const changed = Object.create(origin, {
    headers: { value: headers },
    rawHeaders: { value: headersWithout(origin.rawHeaders, SESSION) },
  }) as CallOrigin;
  return {
    ...caller,
    origin: changed,
    forwarded: headersWithout(forwarded, SESSION),
    request: { ...request, headers },
    watch: undefined,
  };
}

const SESSION = new Set(['mcp-session-id']);

/**
 * For calls from a parent process or a test, not from the network.
 * @param headers alternating names and values
 */
export function localOrigin(headers: readonly string[]): CallOrigin {
  const socket = Object.defineProperties(new Socket(), {
    remoteAddress: { value: '127.0.0.1' },
    remoteFamily: { value: 'IPv4' },
  });
  const rawHeaders = ['host', 'localhost', ...headers];
  const lowerCased = headerPairs(rawHeaders).map(([name, value]) => [name.toLowerCase(), value]);
  return { rawHeaders, headers: Object.fromEntries(lowerCased) as CallOrigin['headers'], socket };
}
