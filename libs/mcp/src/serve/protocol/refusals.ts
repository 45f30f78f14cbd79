import { ErrorCode, errorJson, MAX_JSON_DEPTH, RequestFault, type RequestId } from './json-rpc.js';

/** A response that rejects a request (MCP, Streamable HTTP transport). */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined if the id was not read. */
  readonly id?: RequestId;
  /** Field `data` of the JSON-RPC error. */
  readonly data?: unknown;
}

export function refusalJson({ code, message, id, data }: Refusal): string {
  return errorJson(id ?? null, code, message, data);
}

// The official SDKs use the same messages, and clients recognize them.

export const NOT_ALLOWED: Refusal = {
  status: 405,
  code: ErrorCode.Refused,
  message: 'Method not allowed.',
  headers: { allow: 'GET, POST, DELETE' },
};

export const NOT_ACCEPTABLE_GET: Refusal = {
  status: 406,
  code: ErrorCode.Refused,
  message: 'Not Acceptable: Client must accept text/event-stream',
};

export const NOT_ACCEPTABLE_POST: Refusal = {
  status: 406,
  code: ErrorCode.Refused,
  message: 'Not Acceptable: Client must accept both application/json and text/event-stream',
};

export const NOT_JSON: Refusal = {
  status: 415,
  code: ErrorCode.Refused,
  message: 'Unsupported Media Type: Content-Type must be application/json',
};

export const UNKNOWN_CHARSET: Refusal = {
  status: 415,
  code: ErrorCode.Refused,
  message: 'Unsupported Media Type: The charset of Content-Type is unknown. Send UTF-8',
};

/** The response header `Accept-Encoding` contains the accepted encodings (RFC 9110 §15.5.16). */
export const ENCODED: Refusal = {
  status: 415,
  code: ErrorCode.Refused,
  message: 'Unsupported Media Type: The body has a Content-Encoding. Send the body uncompressed',
  headers: { 'accept-encoding': 'identity' },
};

export const INVALID_JSON: Refusal = {
  status: 400,
  code: ErrorCode.ParseError,
  message: 'Parse error: Invalid JSON',
};

export const TOO_DEEP: Refusal = {
  status: 400,
  code: ErrorCode.ParseError,
  message: `Parse error: JSON must not nest deeper than ${MAX_JSON_DEPTH} levels`,
};

export const BODY_CONSUMED: Refusal = {
  status: 400,
  code: ErrorCode.Refused,
  message:
    'Bad Request: A middleware or hook of the application read the body before the MCP endpoint. ' +
    'Exclude this path from the middleware or hook, or store the body in `request.body` or ' +
    '`request.rawBody`',
};

export const INVALID_MESSAGE: Refusal = {
  status: 400,
  code: ErrorCode.ParseError,
  message: 'Parse error: Invalid JSON-RPC message',
};

/** Same as `INVALID_MESSAGE`, but for MCP 2026-07-28. */
export const INVALID_BODY: Refusal = {
  status: 400,
  code: ErrorCode.InvalidRequest,
  message: 'Bad Request: the request body is not a valid JSON-RPC message',
};

/**
 * MCP 2025-06-18 removed batches. With a batch, a client could also send many calls in one request
 * and bypass a throttler.
 */
export const BATCH_REFUSED: Refusal = {
  status: 400,
  code: ErrorCode.InvalidRequest,
  message: 'Invalid Request: Batches are not supported. Send one message per request',
};

export const INTERNAL_ERROR: Refusal = {
  status: 500,
  code: ErrorCode.InternalError,
  message: 'Internal error',
};

export const NOT_INITIALIZED: Refusal = {
  status: 400,
  code: ErrorCode.Refused,
  message: 'Bad Request: Server not initialized',
};

export const SHUTTING_DOWN: Refusal = {
  status: 503,
  code: ErrorCode.Refused,
  message: 'The server is shutting down',
  headers: { connection: 'close', 'retry-after': '1' },
};

export const SESSION_REQUIRED: Refusal = {
  status: 400,
  code: ErrorCode.Refused,
  message: 'Bad Request: Mcp-Session-Id header is required',
};

export const SESSION_NOT_FOUND: Refusal = {
  status: 404,
  code: ErrorCode.SessionNotFound,
  message: 'Session not found',
};

/** The event in `Last-Event-ID` belongs to another session, or the event's stream is not stored. */
export const UNKNOWN_EVENT: Refusal = {
  status: 400,
  code: ErrorCode.Refused,
  message: 'Bad Request: Unknown Last-Event-ID. The stream of this event cannot be resumed',
};

export const STORE_AWAY: Refusal = {
  status: 503,
  code: ErrorCode.Refused,
  message: 'Service Unavailable: The session store cannot be reached. Try again',
  headers: { 'retry-after': '1' },
};

export const PROCESS_AWAY: Refusal = {
  status: 503,
  code: ErrorCode.Refused,
  message: 'Service Unavailable: The server process that asked the question cannot be reached',
  headers: { 'retry-after': '1' },
};

/** @param retryAfter seconds after which a session may be available */
export function alreadyInitialized(
  id: RequestId,
  maxSessions: number,
  retryAfter: number,
): Refusal {
  const open = maxSessions === 1 ? '1 session is' : `${maxSessions} sessions are`;
  const wait = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`;
  return {
    status: 400,
    code: ErrorCode.InvalidRequest,
    message:
      `Invalid Request: Server already initialized (${open} open, which is the maximum. A ` +
      `session may become available in ${wait}. To allow more clients, increase ` +
      'McpModule.forRoot({ sessions: { max } }))',
    headers: { 'retry-after': String(retryAfter) },
    id,
  };
}

export function invalidParams(id: RequestId, message: string): Refusal {
  return { status: 400, code: ErrorCode.InvalidParams, message, id };
}

export function duplicateId(id: RequestId): Refusal {
  return {
    status: 400,
    code: ErrorCode.InvalidRequest,
    message: `Invalid Request: A request with the id ${JSON.stringify(id)} is in progress in this session`,
    id,
  };
}

/** An error that also contains the HTTP status of the response. */
export class RefusalFault extends RequestFault {
  constructor(readonly refusal: Refusal) {
    super(refusal.code, refusal.message, refusal.data);
  }
}

/**
 * `WWW-Authenticate` contains all required scopes, so clients can request them (RFC 6750 §3.1).
 * @param requested scopes for the header
 */
export function insufficientScope(
  scopes: readonly string[],
  metadataUrl: string | undefined,
  requested = scopes,
): Refusal {
  const challenge = [
    'error="insufficient_scope"',
    `scope="${requested.join(' ')}"`,
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return {
    status: 403,
    code: ErrorCode.Refused,
    message: `Forbidden: This request requires the scopes ${scopes.join(' ')}`,
    headers: { 'www-authenticate': `Bearer ${challenge.join(', ')}` },
  };
}

export function unsupportedVersion(version: string, supported: readonly string[]): Refusal {
  return {
    status: 400,
    code: ErrorCode.Refused,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported.join(', ')})`,
  };
}

export function tooLarge(limit: number): Refusal {
  return {
    status: 413,
    code: ErrorCode.Refused,
    message: `Payload Too Large: Message must not exceed ${limit} bytes`,
  };
}
