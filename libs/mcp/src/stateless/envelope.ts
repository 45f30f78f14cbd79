import { isLogLevel, type LogLevel } from '../calls/peer.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { JsonObject, RequestId } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';

// Each request of 2026-07-28 has these fields in `_meta`. They replace the handshake of earlier revisions.

export const REVISION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
/** The method whose answer is a stream of changes. It is open until the client ends it. */
export const LISTEN = 'subscriptions/listen';
/** Used in the `_meta` of results. */
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/** True for this revision and later ones. Revisions compare as text. */
export function isStateless(revision: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= REVISION;
}

/** The revision that a message names; undefined if it names none. */
export function claimedRevision(body: unknown): unknown {
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && VERSION_KEY in meta ? (meta[VERSION_KEY] ?? null) : undefined;
}

export interface Envelope {
  readonly client: McpClientInfo;
  readonly capabilities: JsonObject;
  readonly structured: 'json';
  readonly progressToken: RequestId | undefined;
  /** Undefined: the client wants no log messages. */
  readonly logLevel: LogLevel | undefined;
}

/**
 * The envelope of a request, if it is complete and contains nothing else that would need validation.
 * Otherwise undefined.
 */
export function plainEnvelope(params: JsonObject): Envelope | undefined {
  const meta = params['_meta'];
  if (!isRecord(meta) || meta[VERSION_KEY] !== REVISION) return undefined;
  const isPlain =
    isPlainClient(meta[CLIENT_KEY]) &&
    isPlainCapabilities(meta[CAPABILITIES_KEY]) &&
    Object.entries(meta).every(([key, value]) => REQUIRED.has(key) || isPlainExtra(key, value));
  if (!isPlain) return undefined;
  return {
    client: meta[CLIENT_KEY] as McpClientInfo,
    capabilities: meta[CAPABILITIES_KEY] as JsonObject,
    structured: 'json',
    progressToken: meta['progressToken'] as RequestId | undefined,
    logLevel: meta[LOG_LEVEL_KEY] as LogLevel | undefined,
  };
}

const REQUIRED = new Set([VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY]);

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
