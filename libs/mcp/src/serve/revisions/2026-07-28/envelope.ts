import { isLogLevel, LOG_LEVELS, type LogLevel } from '../../call/peer.js';
import type { McpClientInfo } from '../../../mcp.definitions.js';
import type { JsonObject } from '../../protocol/json-rpc.js';
import { VERSION_KEY } from '../message-revision.js';

// Fields that every request of MCP 2026-07-28 has in `_meta`. These fields replace the `initialize`
// request of earlier versions.

const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
/** Field of `_meta` in results. The field contains the server information. */
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/** The client information that every request contains. */
export interface Envelope {
  readonly client: McpClientInfo | undefined;
  readonly capabilities: JsonObject;
  /** Undefined if the client does not want log messages. */
  readonly logLevel: LogLevel | undefined;
}

/** The request must be valid. */
export function readEnvelope(params: JsonObject): Envelope {
  const meta = params['_meta'] as JsonObject;
  return {
    client: meta[CLIENT_KEY] as McpClientInfo | undefined,
    capabilities: meta[CAPABILITIES_KEY] as JsonObject,
    logLevel: meta[LOG_LEVEL_KEY] as LogLevel | undefined,
  };
}

/** For requests without a protocol version. */
export function missingFields({ _meta: meta }: JsonObject): readonly string[] {
  if (meta === undefined) return ['_meta'];
  return (meta as JsonObject)[CAPABILITIES_KEY] === undefined
    ? [VERSION_KEY, CAPABILITIES_KEY]
    : [VERSION_KEY];
}

export interface EnvelopeFault {
  readonly key: string;
  readonly problem: string;
}

export function revisionFault(claimed: unknown): EnvelopeFault | undefined {
  return typeFault(VERSION_KEY, claimed, 'string');
}

/** For a request that has a protocol version. Returns the first problem. */
export function envelopeFault({ _meta: meta }: JsonObject): EnvelopeFault | undefined {
  const {
    [VERSION_KEY]: version,
    [CLIENT_KEY]: client,
    [CAPABILITIES_KEY]: capabilities,
    [LOG_LEVEL_KEY]: level,
  } = meta as JsonObject;
  if (capabilities === undefined) return { key: CAPABILITIES_KEY, problem: 'missing' };
  return (
    revisionFault(version) ??
    (client === undefined ? undefined : clientFault(client as JsonObject)) ??
    typeFault(CAPABILITIES_KEY, capabilities, 'object') ??
    memberFault(CAPABILITIES_KEY, capabilities as JsonObject, FEATURES, 'object') ??
    (level === undefined || isLogLevel(level) ? undefined : LEVEL_FAULT)
  );
}

const FEATURES = ['experimental', 'sampling', 'elicitation', 'roots', 'extensions'];

const CLIENT_TEXTS = ['title', 'description', 'websiteUrl'];

const LEVEL_FAULT: EnvelopeFault = {
  key: LOG_LEVEL_KEY,
  problem: `Invalid option: expected one of ${LOG_LEVELS.map((level) => `"${level}"`).join('|')}`,
};

function clientFault(client: JsonObject): EnvelopeFault | undefined {
  const fault = typeFault(CLIENT_KEY, client, 'object');
  if (fault) return fault;
  const { name, version, icons } = client;
  return (
    typeFault(`${CLIENT_KEY}.name`, name, 'string') ??
    typeFault(`${CLIENT_KEY}.version`, version, 'string') ??
    (icons === undefined ? undefined : typeFault(`${CLIENT_KEY}.icons`, icons, 'array')) ??
    memberFault(CLIENT_KEY, client, CLIENT_TEXTS, 'string')
  );
}

function memberFault(
  key: string,
  value: JsonObject,
  names: readonly string[],
  type: string,
): EnvelopeFault | undefined {
  for (const name of names) {
    const member = value[name];
    if (member !== undefined && typeOf(member) !== type) {
      return typeFault(`${key}.${name}`, member, type);
    }
  }
  return undefined;
}

function typeFault(key: string, value: unknown, type: string): EnvelopeFault | undefined {
  const found = typeOf(value);
  if (found === type) return undefined;
  return { key, problem: `Invalid input: expected ${type}, received ${found}` };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
