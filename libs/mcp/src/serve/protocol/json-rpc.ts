import { isObject } from '@fledge-internal/options';
import { without } from '../../publish/schema/json-schema.js';

/** JSON-RPC 2.0, as MCP restricts it: ids are strings or numbers, and parameters are objects. */
export type RequestId = string | number;

export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

export interface JsonRpcResponse {
  readonly jsonrpc: '2.0';
  /** Id of the rejected request. Undefined if the client could not read the id. */
  readonly id?: RequestId;
  readonly result?: JsonObject;
  readonly error?: JsonRpcError;
}

interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export type ClientMessage =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'response'; readonly message: JsonRpcResponse };

/** Error codes of JSON-RPC 2.0 §5.1, and error codes of MCP. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  Refused: -32000,
  SessionNotFound: -32001,
  ResourceNotFound: -32002,
  HeaderMismatch: -32020,
  MissingClientCapability: -32021,
  UnsupportedVersion: -32022,
} as const;

/** Returns undefined if the body is not a valid message. */
export function clientMessageOf(body: unknown): ClientMessage | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = body;
  // Some clients send null instead of omitting the parameters. Servers of the Python SDK accept it.
  if (params === null) return clientMessageOf(without(body, 'params'));
  if (params !== undefined && !(isObject(params) && isMeta(params['_meta']))) return undefined;

  if (typeof method === 'string') {
    if (!hasOnly(body, REQUEST_MEMBERS)) return undefined;
    if ('id' in body) {
      return isRequestId(id)
        ? { kind: 'request', message: body as unknown as JsonRpcRequest }
        : undefined;
    }
    return { kind: 'notification', message: body as unknown as JsonRpcNotification };
  }
  return isResponse(body)
    ? { kind: 'response', message: body as unknown as JsonRpcResponse }
    : undefined;
}

/** Returns the id of an invalid request. Returns undefined if the id cannot be read. */
export function readableId(body: unknown): RequestId | undefined {
  if (!isObject(body) || typeof body['method'] !== 'string') return undefined;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Returns a response as JSON. `result` must already be JSON. */
export function resultJson(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** Same as `resultJson()`, but in parts. Used for results that are stored as bytes. */
export function resultParts(id: RequestId, ...result: (string | Buffer)[]): (string | Buffer)[] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, ...result, '}'];
}

/** @param id null if the request's id could not be read */
export function errorJson(
  id: RequestId | null,
  code: number,
  message: string,
  data?: unknown,
): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id });
}

const REQUEST_MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);

function hasOnly(body: JsonObject, members: ReadonlySet<string>): boolean {
  return Object.keys(body).every((member) => members.has(member));
}

function isResponse({ id, result, error, ...others }: JsonObject): boolean {
  if (Object.keys(others).length > 1) return false;
  if (error === undefined) return isObject(result) && isRequestId(id);
  return (
    result === undefined &&
    (id === undefined || isRequestId(id)) &&
    isObject(error) &&
    Number.isSafeInteger(error['code']) &&
    typeof error['message'] === 'string'
  );
}

function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  return (
    isObject(meta) && (meta['progressToken'] === undefined || isRequestId(meta['progressToken']))
  );
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/**
 * Maximum nesting depth of JSON. `JSON.parse` has no such limit. But schema libraries and
 * `JSON.stringify` process values recursively, so deep JSON would overflow the stack.
 */
export const MAX_JSON_DEPTH = 256;

/** Returns undefined if the JSON is invalid or nested too deeply. */
export function parsedJson(json: string): unknown {
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads a string of JSON once and does not recurse. In a parsed value, recurses only down to the
 * maximum depth.
 */
export function isTooDeep(json: unknown): boolean {
  if (typeof json !== 'string') return nestsTooDeep(json, MAX_JSON_DEPTH);
  // Counting brackets is much cheaper. Most messages have fewer brackets than the limit.
  if (count(json, '{', MAX_JSON_DEPTH) + count(json, '[', MAX_JSON_DEPTH) <= MAX_JSON_DEPTH) {
    return false;
  }
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    switch (json.charCodeAt(i)) {
      case QUOTE:
        inString = !inString;
        break;
      case BACKSLASH:
        i++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (!inString && ++depth > MAX_JSON_DEPTH) return true;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (!inString) depth--;
        break;
    }
  }
  return false;
}

/** Stops when the count is above the limit. */
function count(text: string, character: string, limit: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    if (++found > limit) break;
  }
  return found;
}

function nestsTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsTooDeep(member, levels - 1));
}

const QUOTE = 0x22;

const BACKSLASH = 0x5c;

const OPEN_BRACE = 0x7b;

const CLOSE_BRACE = 0x7d;

const OPEN_BRACKET = 0x5b;

const CLOSE_BRACKET = 0x5d;

/** Ends a request with a JSON-RPC error, in all protocol versions. */
export class RequestFault extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Clients may send names of any length. */
export function shortened(name: string): string {
  return name.length > 128 ? `${name.slice(0, 128)}...` : name;
}
