import type { IncomingMessage } from 'node:http';
import type { McpClientInfo } from '../mcp.definitions.js';
import { isLogLevel, type LogLevel } from '../calls/peer.js';
import type { ClientMessage, JsonObject, RequestId } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';

export const REVISION = '2026-07-28';

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';

export type FastRequest = FastList | FastCall;

interface FastList {
  readonly method: 'tools/list';
  readonly id: RequestId;
}

/** A call, with all that its envelope says of the client. */
export interface FastCall {
  readonly method: 'tools/call';
  readonly id: RequestId;
  readonly name: string;
  readonly args: JsonObject;
  readonly client: { readonly info: McpClientInfo; readonly capabilities: JsonObject };
  readonly progressToken: RequestId | undefined;
  /** Undefined: the client wants no log messages. */
  readonly logLevel: LogLevel | undefined;
}

/**
 * A request of revision 2026-07-28 that is right in every respect it is checked for: the envelope
 * whole, the headers equal to the body, the parameters well-formed. Undefined is no refusal: the SDK
 * judges.
 */
export function fastRequestOf(
  client: ClientMessage,
  { headers }: IncomingMessage,
): FastRequest | undefined {
  if (client.kind !== 'request') return undefined;
  const { id, method, params } = client.message;
  if (!hasEnvelope(params) || headers['mcp-protocol-version'] !== REVISION) return undefined;
  if (headers['mcp-method'] !== method) return undefined;
  if (method === 'tools/list') {
    return 'cursor' in params || 'mcp-name' in headers ? undefined : { method, id };
  }
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || headers['mcp-name'] !== name || !isRecord(args)) return undefined;
  // The state of earlier rounds is the SDK's to judge.
  if ('inputResponses' in params || 'requestState' in params) return undefined;
  const meta = params['_meta'] as Envelope;
  return {
    method,
    id,
    name,
    args,
    client: { info: meta[CLIENT_KEY], capabilities: meta[CAPABILITIES_KEY] },
    progressToken: meta.progressToken,
    logLevel: meta[LOG_LEVEL_KEY],
  };
}

interface Envelope {
  readonly [CLIENT_KEY]: McpClientInfo;
  readonly [CAPABILITIES_KEY]: JsonObject;
  readonly [LOG_LEVEL_KEY]?: LogLevel;
  readonly progressToken?: RequestId;
}

/** Whether `_meta` holds what the revision wants and beside it nothing that would have to be checked. */
function hasEnvelope(params: JsonObject | undefined): params is JsonObject {
  const meta = params?.['_meta'];
  if (!isRecord(meta) || meta[VERSION_KEY] !== REVISION) return false;
  return (
    isPlainClient(meta[CLIENT_KEY]) &&
    isPlainCapabilities(meta[CAPABILITIES_KEY]) &&
    Object.entries(meta).every(([key, value]) => ENVELOPE.has(key) || isPlainExtra(key, value))
  );
}

const ENVELOPE = new Set([VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY]);

function isPlainExtra(key: string, value: unknown): boolean {
  if (key === LOG_LEVEL_KEY) return isLogLevel(value);
  if (key === 'progressToken') return typeof value === 'string' || Number.isInteger(value);
  return (
    (key === 'traceparent' || key === 'tracestate' || key === 'baggage') &&
    typeof value === 'string'
  );
}

const CLIENT_TEXTS = new Set(['name', 'version', 'title', 'description']);

function isPlainClient(client: unknown): boolean {
  return (
    isRecord(client) &&
    'name' in client &&
    'version' in client &&
    Object.entries(client).every(
      ([key, value]) => CLIENT_TEXTS.has(key) && typeof value === 'string',
    )
  );
}

const CAPABILITIES = new Set(['sampling', 'elicitation', 'experimental', 'extensions']);

function isPlainCapabilities(capabilities: unknown): boolean {
  return (
    isRecord(capabilities) &&
    Object.entries(capabilities).every(
      ([name, value]) =>
        isRecord(value) && CAPABILITIES.has(name) && Object.values(value).every(isRecord),
    )
  );
}
