import { McpOptionError } from './mcp.errors.js';

/** Verbs a tool call can use. HEAD, OPTIONS and ALL routes are never tools. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How routes become tools: those that carry `@McpTool`, or all of them. */
export type McpExposureMode = 'explicit' | 'auto';

/** How clients reach the server. `sse` is a legacy alias, handled as `http`. */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** Headers and peer of the HTTP request that carried an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the peer, as the socket tells it. */
  readonly remoteAddress: string | undefined;
}

/** Bearer authentication of the endpoint itself, in addition to the guards of the routes. */
export interface McpAuthOptions {
  readonly type: 'bearer';
  /**
   * Decides on the token of every request; refusing is returning false or throwing. Not called
   * when no token came: that is a 401 at once.
   */
  readonly validate: (token: string, request: McpRequest) => boolean | Promise<boolean>;
  /** URL of the RFC 9728 metadata, named in `WWW-Authenticate`. @default none */
  readonly resourceMetadata?: string;
}

/** Sessions of clients of the revisions 2024-10-07 to 2025-11-25. */
export interface McpSessionOptions {
  /** How many sessions may be open at once, at least 1. @default 1 */
  readonly max?: number;
  /** Milliseconds after the last request at which a session ends. @default never */
  readonly idleTimeoutMs?: number;
}

export interface McpLimitOptions {
  /** Bytes of one JSON-RPC message. Larger: HTTP 413. @default 4_194_304 */
  readonly requestBytes?: number;
  /** Bytes of a response body that reach the result; the rest is cut and said to be. @default 1_048_576 */
  readonly responseBytes?: number;
  /** Milliseconds a call may take. @default 30_000 */
  readonly timeoutMs?: number;
}

/** Options of `McpModule.forRoot()`. */
export interface McpAdapterOptions {
  /** Server name told to clients. */
  readonly name: string;
  /** Server version told to clients. @default '0.0.0' */
  readonly version?: string;
  /** What the server is for; told to clients as `instructions`. */
  readonly description?: string;
  /** @default 'explicit' */
  readonly mode?: McpExposureMode;
  /** @default 'http' */
  readonly transport?: McpTransport;
  /** The endpoint is `{basePath}/messages`; a global prefix does not apply. @default '/_mcp' */
  readonly basePath?: string;
  /** Auto mode: verbs to expose. @default every verb */
  readonly include?: readonly HttpMethod[];
  /**
   * Auto mode: paths to leave out, by whole segments, with or without the global prefix:
   * `/admin/*` covers `/admin` and all below it, not `/administrators`.
   */
  readonly exclude?: readonly string[];
  /** @default none: the routes' own guards decide */
  readonly auth?: McpAuthOptions;
  readonly sessions?: McpSessionOptions;
  /**
   * Headers of the MCP request that reach the route. Hop-by-hop and content headers never do.
   * @default authorization, mcp-session-id, accept-language, traceparent, tracestate, baggage
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Values of `Origin` to accept, besides the request's own host and localhost: `https://app.example.com`.
   * A request with another one is answered 403.
   */
  readonly allowedOrigins?: readonly string[];
  /** Host names to accept, without port. @default any */
  readonly allowedHosts?: readonly string[];
  readonly limits?: McpLimitOptions;
}

/** The options with every default applied. Nothing behind this file reads raw options. */
export interface ResolvedMcpOptions {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly mode: McpExposureMode;
  /** Path of the endpoint: `/_mcp/messages`. */
  readonly endpoint: string;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
  readonly auth: McpAuthOptions | undefined;
  readonly sessions: { readonly max: number; readonly idleTimeoutMs: number | undefined };
  /** Lower-cased. */
  readonly forwardHeaders: readonly string[];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
  readonly limits: Required<McpLimitOptions>;
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
 * @throws McpOptionError for a value that can never work
 */
export function resolveMcpOptions(options: McpAdapterOptions): ResolvedMcpOptions {
  if (!options.name)
    throw bad('name', options.name, 'a non-empty string: the name told to clients');
  const transport = options.transport ?? 'http';
  if (transport === 'stdio') {
    throw bad('transport', transport, "'http' or 'sse': stdio is not part of this version yet");
  }
  if (transport !== 'http' && transport !== 'sse')
    throw bad('transport', transport, "'http' or 'sse'");
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
    endpoint: `${basePathOf(options.basePath ?? '/_mcp')}/messages`,
    include: options.include ?? HTTP_METHODS,
    exclude: options.exclude ?? [],
    auth: authOf(options.auth),
    sessions: {
      max: positive('sessions.max', options.sessions?.max ?? 1),
      idleTimeoutMs:
        options.sessions?.idleTimeoutMs === undefined
          ? undefined
          : positive('sessions.idleTimeoutMs', options.sessions.idleTimeoutMs),
    },
    forwardHeaders: (options.forwardHeaders ?? FORWARDED_BY_DEFAULT).map(forwardable),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(originOf)),
    allowedHosts: options.allowedHosts && new Set(options.allowedHosts.map((h) => h.toLowerCase())),
    limits: {
      requestBytes: positive('limits.requestBytes', options.limits?.requestBytes ?? 4_194_304),
      responseBytes: positive('limits.responseBytes', options.limits?.responseBytes ?? 1_048_576),
      timeoutMs: positive('limits.timeoutMs', options.limits?.timeoutMs ?? 30_000),
    },
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

function authOf(auth: McpAuthOptions | undefined): McpAuthOptions | undefined {
  if (auth === undefined) return undefined;
  if (auth.type !== 'bearer') throw bad('auth.type', auth.type, "'bearer'");
  if (typeof auth.validate !== 'function') throw bad('auth.validate', auth.validate, 'a function');
  return auth;
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

function originOf(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.origin === 'null' || origin.includes('*')) {
    throw bad('allowedOrigins', origin, "a full origin such as 'https://app.example.com'");
  }
  return url.origin;
}
