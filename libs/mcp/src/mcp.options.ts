/** Verbs a tool call can use. HEAD, OPTIONS and ALL routes are never tools. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How routes become tools: those that carry `@McpTool`, or all of them. */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * How clients reach the server. `sse` is a legacy alias, handled as `http`. `stdio`, or the environment
 * variable `FLEDGE_MCP_STDIO=1`, serves the parent process on stdin and stdout: the HTTP server then does
 * not listen, and calls carry `FLEDGE_MCP_TOKEN` as their bearer token where it is set.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** Headers and peer of the HTTP request that carried an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the peer, as the socket tells it. */
  readonly remoteAddress: string | undefined;
}

/** Who a token stands for, as far as `validate` tells. */
export interface McpPrincipal {
  /** Names the caller for good: a session outlives a token that is renewed for the same id. */
  readonly id: string;
}

/** Bearer authentication of the endpoint itself, in addition to the guards of the routes. */
export interface McpAuthOptions {
  readonly type: 'bearer';
  /**
   * Decides on the token of every request; refusing is returning false or throwing. Not called
   * when no token came: that is a 401 at once. Where tokens expire, return the principal instead of
   * true: a session is bound to its id then, and to the `Authorization` header otherwise.
   */
  readonly validate: (
    token: string,
    request: McpRequest,
  ) => boolean | McpPrincipal | Promise<boolean | McpPrincipal>;
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
