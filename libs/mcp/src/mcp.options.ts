import type {
  HttpMethod,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';

/** How routes become tools: those that carry `@McpTool`, or all of them. */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * How clients reach the server. `sse` is a legacy alias, handled as `http`. `stdio`, or the environment
 * variable `FLEDGE_MCP_STDIO=1`, serves the parent process on stdin and stdout: the HTTP server then does
 * not listen, and calls carry `FLEDGE_MCP_TOKEN` as their bearer token where it is set.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** The HTTP request that carried an MCP message: who sent it. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the peer, as the socket tells it. */
  readonly remoteAddress: string | undefined;
  /** What `auth.validate` returned; undefined before it did, and where it only said true. */
  readonly principal: McpPrincipal | undefined;
}

/** Who a token stands for, as far as `validate` tells. Other members reach the route as they are. */
export interface McpPrincipal {
  /** Names the caller for good: a session outlives a token that is renewed for the same id. */
  readonly id: string;
  /** OAuth scopes of the token, for tools that ask for some. @default none */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource (RFC 9728 §2), under the names the RFC gives its members. What is
 * left out is filled in: `bearer_methods_supported`, and the scopes of the tools.
 */
export interface McpResourceMetadata {
  /** Identifier of the resource: the URL tokens are issued for, such as `https://api.example.com`. */
  readonly resource: string;
  /** Issuers of tokens. */
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly [member: string]: unknown;
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
  /**
   * Metadata by which clients find out where tokens come from (RFC 9728). Given as a document it is
   * served at both well-known paths; given as a URL it is served elsewhere. `WWW-Authenticate` names
   * it. @default none
   */
  readonly resourceMetadata?: McpResourceMetadata | string;
}

/** Sessions of clients of the revisions 2024-10-07 to 2025-11-25. */
export interface McpSessionOptions {
  /** How many sessions may be open at once, at least 1. @default 1 */
  readonly max?: number;
  /**
   * Milliseconds without an open stream and without a request under way after which a session gives
   * up its place when another client needs one. Many clients exit without ending their session.
   * @default 60_000
   */
  readonly reclaimAfterMs?: number;
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
  /**
   * Whether a caller may know of a tool, a resource or a prompt. What is hidden is not listed and
   * answers as if it were not there. Asked for every list and every call; throwing is saying no.
   * @default everything is visible to everyone
   */
  visible?(
    published: McpToolDefinition | McpResourceDefinition | McpPromptDefinition,
    request: McpRequest,
  ): boolean | Promise<boolean>;
  /**
   * Signs what clients of 2026-07-28 carry from one round of an elicitation to the next: at least 32
   * bytes, the same in every process that may get a later round. @default random, for one process
   */
  readonly stateSecret?: string;
}
