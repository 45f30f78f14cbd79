/** JSON-RPC 2.0 as MCP uses it: ids are strings or numbers, parameters are objects. */
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

interface JsonRpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result?: JsonObject;
  readonly error?: JsonRpcError;
}

interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A message a client sent, told apart by `kind`. */
export type ClientMessage =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'response'; readonly message: JsonRpcResponse };

/** Error codes of JSON-RPC 2.0 §5.1, and those MCP adds. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  Refused: -32000,
  SessionNotFound: -32001,
  ResourceNotFound: -32002,
  MissingClientCapability: -32021,
} as const;

/** What a parsed body is as a JSON-RPC message; undefined where it is none. */
export function clientMessageOf(body: unknown): ClientMessage | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = body;
  if (params !== undefined && !isObject(params)) return undefined;

  if (typeof method === 'string') {
    if (!hasOnly(body, REQUEST_MEMBERS)) return undefined;
    if ('id' in body) {
      return isRequestId(id)
        ? { kind: 'request', message: body as unknown as JsonRpcRequest }
        : undefined;
    }
    return { kind: 'notification', message: body as unknown as JsonRpcNotification };
  }
  const answers = isObject(body['result']) !== isObject(body['error']);
  return hasOnly(body, RESPONSE_MEMBERS) && isRequestId(id) && answers
    ? { kind: 'response', message: body as unknown as JsonRpcResponse }
    : undefined;
}

/** JSON of a response whose result is JSON already. */
export function resultJson(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** The same in parts, around a result that is stored as bytes. */
export function resultParts(id: RequestId, ...result: (string | Buffer)[]): (string | Buffer)[] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, ...result, '}'];
}

/** JSON of an error response. `id` is null where the request's could not be told. */
export function errorJson(
  id: RequestId | null,
  code: number,
  message: string,
  data?: unknown,
): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const REQUEST_MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
const RESPONSE_MEMBERS = new Set(['jsonrpc', 'id', 'result', 'error']);

function hasOnly(body: JsonObject, members: ReadonlySet<string>): boolean {
  return Object.keys(body).every((member) => members.has(member));
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
