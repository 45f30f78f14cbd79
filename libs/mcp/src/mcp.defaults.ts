import { refuseUnknownMcpOptions } from './known-options.js';
import { McpOptionError } from './mcp.errors.js';
import { usesStdio } from './uses-stdio.js';
import { metadataUrlOf } from './well-known.js';
import type { HttpMethod } from './mcp.definitions.js';
import type {
  McpAdapterOptions,
  McpAuthOptions,
  McpExposureMode,
  McpLimitOptions,
  McpResourceMetadata,
} from './mcp.options.js';

/** Injects the options with every default applied. */
export const MCP_OPTIONS = Symbol('MCP_OPTIONS');

export interface ResolvedMcpAuth extends Pick<McpAuthOptions, 'validate'> {
  /** Where clients find the metadata: named in challenges. */
  readonly metadataUrl: string | undefined;
  /** The metadata to serve. */
  readonly metadata: McpResourceMetadata | undefined;
}

/** The options with every default applied. Nothing behind this file reads raw options. */
export interface ResolvedMcpOptions {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly mode: McpExposureMode;
  readonly transport: 'http' | 'stdio';
  /** Path of the endpoint: `/_mcp/messages`. */
  readonly endpoint: string;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
  readonly auth: ResolvedMcpAuth | undefined;
  readonly sessions: {
    readonly max: number;
    readonly reclaimAfterMs: number;
    readonly idleTimeoutMs: number | undefined;
  };
  /** Lower-cased. */
  readonly forwardHeaders: readonly string[];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
  readonly limits: Required<McpLimitOptions>;
  readonly visible: McpAdapterOptions['visible'];
  readonly stateSecret: string | undefined;
}

export const HTTP_METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const FORWARDED_BY_DEFAULT = [
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
];

/** Never forwarded, listed or not: they speak of the connection or of the JSON-RPC body (RFC 9110 §7.6.1). */
const NEVER_FORWARDED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Applies every default, once.
 * @throws McpOptionError for a name that is no option, and for a value that can never work
 */
export function resolveMcpOptions(options: McpAdapterOptions): ResolvedMcpOptions {
  refuseUnknownMcpOptions(options);
  if (!options.name)
    throw bad('name', options.name, 'a non-empty string: the name told to clients');
  const transport = options.transport ?? 'http';
  if (transport !== 'http' && transport !== 'sse' && transport !== 'stdio')
    throw bad('transport', transport, "'http', 'sse' or 'stdio'");
  const mode = options.mode ?? 'explicit';
  if (mode !== 'explicit' && mode !== 'auto') throw bad('mode', mode, "'explicit' or 'auto'");
  for (const verb of options.include ?? []) {
    if (!HTTP_METHODS.includes(verb))
      throw bad('include', verb, `one of ${HTTP_METHODS.join(', ')}`);
  }

  return {
    name: options.name,
    version: options.version ?? '0.0.0',
    description: options.description,
    mode,
    transport: usesStdio(transport) ? 'stdio' : 'http',
    endpoint: `${basePathOf(options.basePath ?? '/_mcp')}/messages`,
    include: options.include ?? HTTP_METHODS,
    exclude: options.exclude ?? [],
    auth: authOf(options.auth),
    sessions: {
      max: positive('sessions.max', options.sessions?.max ?? 1),
      reclaimAfterMs: positive(
        'sessions.reclaimAfterMs',
        options.sessions?.reclaimAfterMs ?? 60_000,
      ),
      idleTimeoutMs:
        options.sessions?.idleTimeoutMs === undefined
          ? undefined
          : positive('sessions.idleTimeoutMs', options.sessions.idleTimeoutMs),
    },
    forwardHeaders: (options.forwardHeaders ?? FORWARDED_BY_DEFAULT).map(forwardable),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(checkedOrigin)),
    allowedHosts: options.allowedHosts && new Set(options.allowedHosts.map((h) => h.toLowerCase())),
    limits: {
      requestBytes: positive('limits.requestBytes', options.limits?.requestBytes ?? 4_194_304),
      responseBytes: positive('limits.responseBytes', options.limits?.responseBytes ?? 1_048_576),
      timeoutMs: positive('limits.timeoutMs', options.limits?.timeoutMs ?? 30_000),
    },
    visible: options.visible?.bind(options),
    stateSecret: stateSecretOf(options.stateSecret),
  };
}

function bad(option: string, value: unknown, expected: string): McpOptionError {
  const given = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return new McpOptionError(
    `McpModule.forRoot({ ${option} }) is ${given}, but must be ${expected}.`,
  );
}

function basePathOf(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  if (!/^(\/[A-Za-z0-9_.~-]+)+$/.test(trimmed)) {
    throw bad('basePath', path, "a path of plain segments with a leading slash, such as '/_mcp'");
  }
  return trimmed;
}

function authOf(auth: McpAuthOptions | undefined): ResolvedMcpAuth | undefined {
  if (auth === undefined) return undefined;
  if (auth.type !== 'bearer') throw bad('auth.type', auth.type, "'bearer'");
  if (typeof auth.validate !== 'function') throw bad('auth.validate', auth.validate, 'a function');
  return { validate: auth.validate, ...metadataOf(auth.resourceMetadata) };
}

/** 256 bits, as RFC 2104 §3 asks of a key for HMAC-SHA256. */
const STATE_SECRET_BYTES = 32;

function stateSecretOf(secret: string | undefined): string | undefined {
  if (secret === undefined || Buffer.byteLength(secret) >= STATE_SECRET_BYTES) return secret;
  throw new McpOptionError(
    `McpModule.forRoot({ stateSecret }) has ${Buffer.byteLength(secret)} bytes, but must have at least ${STATE_SECRET_BYTES}.`,
  );
}

function metadataOf(given: McpAuthOptions['resourceMetadata']) {
  if (given === undefined) return { metadataUrl: undefined, metadata: undefined };
  const url = typeof given === 'string' ? given : given.resource;
  const option =
    typeof given === 'string' ? 'auth.resourceMetadata' : 'auth.resourceMetadata.resource';
  // RFC 9728 §1.2: a URL without fragment.
  if (!/^https?:/i.test(url) || !URL.canParse(url) || url.includes('#')) {
    throw bad(option, url, "an absolute URL without fragment, such as 'https://api.example.com'");
  }
  if (typeof given === 'string') return { metadataUrl: given, metadata: undefined };
  if (!Array.isArray(given.authorization_servers)) {
    throw bad(
      'auth.resourceMetadata.authorization_servers',
      given.authorization_servers,
      'a list of issuer URLs',
    );
  }
  return { metadataUrl: metadataUrlOf(given.resource), metadata: given };
}

function positive(option: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw bad(option, value, 'a whole number of at least 1');
  return value;
}

function forwardable(header: string): string {
  const name = header.toLowerCase();
  if (NEVER_FORWARDED.has(name)) {
    throw bad(
      'forwardHeaders',
      header,
      'a header that does not speak of the connection or the body',
    );
  }
  return name;
}

function checkedOrigin(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.origin === 'null' || origin.includes('*')) {
    throw bad('allowedOrigins', origin, "a full origin such as 'https://app.example.com'");
  }
  return url.origin;
}
