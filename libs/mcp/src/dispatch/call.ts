import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { McpPrincipal, McpRequest } from '../mcp.options.js';

/** The HTTP request a tool call becomes. */
export interface CallRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  /** Names and values in turn, as in `IncomingMessage.rawHeaders`. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
  /** For the extractor of custom versioning. */
  readonly version: string | undefined;
}

/** The request that carried the MCP message. */
export type CallOrigin = Pick<IncomingMessage, 'rawHeaders' | 'headers'> & {
  readonly socket: Socket;
};

/** Who calls. */
export interface Caller {
  readonly origin: CallOrigin;
  /** What `auth.validate` returned of it. */
  readonly principal: McpPrincipal | undefined;
}

/** A caller as `visible` and `auth.validate` are shown it. */
export function mcpRequestOf({ origin, principal }: Caller): McpRequest {
  return { headers: origin.headers, remoteAddress: origin.socket.remoteAddress, principal };
}

/** What the application answered. */
export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** The first `limits.responseBytes` bytes of the body. */
  readonly body: Buffer;
  /** Length of the whole body in bytes. */
  readonly bytes: number;
}

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: 'response'; readonly response: CallResponse }
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** The caller went away or cancelled. */
  | { readonly kind: 'aborted' }
  /** The application closed the connection without an answer. */
  | { readonly kind: 'closed' };
