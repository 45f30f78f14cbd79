import type { RequestContext } from '@fledge/core';
import type { CallRecord } from '@fledge/core/packages';
import type {
  HttpMethod,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';

/**
 * Which routes become tools: `explicit` publishes those with `@McpTool`, `auto` publishes every route, limited by
 * `include` and `exclude`.
 */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * How clients connect. `sse` is a legacy alias of `http`. With `stdio`, or the environment variable
 * `FLEDGE_MCP_STDIO=1`, the application serves its parent process on stdin and stdout and the HTTP server
 * does not listen. If `FLEDGE_MCP_TOKEN` is set, calls carry it as bearer token.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** The HTTP request that carried an MCP message. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** IP address of the peer, from the socket. */
  readonly remoteAddress: string | undefined;
  /** What `auth.validate` returned. Undefined if it returned true, while it runs, and without `auth`. */
  readonly principal: McpPrincipal | undefined;
}

/** The caller that a token identifies. Additional members are passed to the route unchanged. */
export interface McpPrincipal {
  /** Stable id of the caller. A session continues when the token is renewed for the same id. */
  readonly id: string;
  /** OAuth scopes of the token, which tools, resources and prompts may require. @default none */
  readonly scopes?: readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Metadata of a protected resource, with the member names of RFC 9728 §2. If omitted,
 * `bearer_methods_supported` is `['header']` and `scopes_supported` lists the scopes of everything
 * published.
 */
export interface McpResourceMetadata {
  /** Identifier of the resource: the URL that tokens are issued for, such as `https://api.example.com`. */
  readonly resource: string;
  /** Issuer URLs of the authorization servers. */
  readonly authorization_servers: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly [member: string]: unknown;
}

/** Bearer authentication of the endpoint. The guards of the routes run in addition. */
export interface McpAuthOptions {
  /** The scheme of the `Authorization` header. */
  readonly type: 'bearer';
  /**
   * Checks the token of every request. Return false or throw to refuse it with HTTP 401. A request without
   * a token gets 401 without a call of this function. If tokens expire, return the principal instead of
   * true: a session is then bound to its id, and otherwise to the `Authorization` header.
   */
  readonly validate: (
    token: string,
    request: McpRequest,
  ) => boolean | McpPrincipal | Promise<boolean | McpPrincipal>;
  /**
   * Metadata that tells clients where to get a token (RFC 9728). A document is served at the well-known
   * paths. A URL names a document that is served elsewhere. `WWW-Authenticate` contains the URL of the
   * metadata.
   * @default none
   */
  readonly resourceMetadata?: McpResourceMetadata | string;
}

/** Sessions of clients of the revisions 2024-10-07 to 2025-11-25. */
export interface McpSessionOptions {
  /** Maximum number of open sessions, at least 1. @default 1 */
  readonly max?: number;
  /**
   * Milliseconds without an open stream or a running request after which a session is closed if a new
   * client needs its place. Needed because many clients exit without ending their session.
   * @default 60_000
   */
  readonly reclaimAfterMs?: number;
  /** A session ends this many milliseconds after its last request. @default off */
  readonly idleTimeoutMs?: number;
}

export interface McpLimitOptions {
  /** Maximum size of a JSON-RPC message in bytes. A larger one gets HTTP 413. @default 4_194_304 */
  readonly requestBytes?: number;
  /**
   * Maximum bytes of a response body in a result. A longer text is cut, with a note, and longer binary
   * content is left out of a tool result. For resources and prompts a longer body is an error.
   * @default 1_048_576
   */
  readonly responseBytes?: number;
  /** Maximum duration of a call in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /**
   * Maximum number of items in the result of a list method. Clients read the others with `nextCursor`.
   * @default no maximum: some clients read the first page only
   */
  readonly listItems?: number;
}

/** An audit trail of the calls of tools, prompts and resources. */
export interface McpAuditOptions {
  /**
   * Receives a record of each call when its answer is known, also of calls that were refused. What it throws
   * is logged and does not change the answer.
   * @param ctx the request context of the route, such as for the user that a guard found; undefined if the
   * route did not run
   */
  onCall(record: CallRecord, ctx: RequestContext | undefined): unknown;
  /**
   * The answer waits for the promise of `onCall`, at most `limits.timeoutMs`. Set it if a call must not be
   * answered before it is stored.
   * @default false
   */
  readonly await?: boolean;
  /** Records have the arguments, without secrets. @default true */
  readonly arguments?: boolean;
}

/**
 * How calls appear in traces. `full`: each request has a span and a duration, and the route's spans are its
 * children. `propagate`: no span; the route continues the trace in `params._meta`. `off`: trace headers are
 * forwarded like other headers.
 */
export type McpTelemetryMode = 'full' | 'propagate' | 'off';

/** OpenTelemetry. Has no effect until the application registers an SDK. */
export interface McpTelemetryOptions {
  /** @default 'full' */
  readonly mode?: McpTelemetryMode;
  /** Spans have the arguments, without secrets. @default false */
  readonly arguments?: boolean;
  /** Spans have the results of tools, without secrets. @default false */
  readonly results?: boolean;
}

export type ResolvedMcpTelemetry = Required<McpTelemetryOptions>;

/** Options of `McpModule.forRoot()`. */
export interface McpAdapterOptions {
  /** Server name sent to clients. */
  readonly name: string;
  /** Server version sent to clients. @default '0.0.0' */
  readonly version?: string;
  /** Purpose of the server, sent to clients as `instructions`. @default none */
  readonly description?: string;
  /** @default 'explicit' */
  readonly mode?: McpExposureMode;
  /** @default 'http' */
  readonly transport?: McpTransport;
  /** The endpoint is `{basePath}/messages`; a global prefix does not apply. @default '/_mcp' */
  readonly basePath?: string;
  /** Auto mode: HTTP methods to expose. @default every method */
  readonly include?: readonly HttpMethod[];
  /**
   * Auto mode: paths to leave out, with or without the global prefix. Whole segments are compared:
   * `/admin/*` covers `/admin` and every path below it, but not `/administrators`.
   * @default none
   */
  readonly exclude?: readonly string[];
  /** Names the tools without a description in a warning at boot. @default false */
  readonly warnUndescribed?: boolean;
  /** Bearer authentication. @default none: only the guards of the routes check the caller */
  readonly auth?: McpAuthOptions;
  readonly sessions?: McpSessionOptions;
  /**
   * Headers of the MCP request that reach the route, in addition to those about the caller's address, such
   * as `host` and `x-forwarded-for`. Hop-by-hop and content headers are rejected at boot.
   * @default authorization, mcp-session-id, accept-language, traceparent, tracestate, baggage
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Values of `Origin` to accept, in addition to the request's own host and localhost, such as
   * `https://app.example.com`. A request with another value gets HTTP 403.
   */
  readonly allowedOrigins?: readonly string[];
  /** Host names to accept, without port. Another host gets HTTP 403. @default any */
  readonly allowedHosts?: readonly string[];
  readonly limits?: McpLimitOptions;
  /**
   * Returns whether a caller may see a tool, resource or prompt. Hidden ones are not listed, and a call of
   * one gets the error of an unknown name. Runs for every list and every call. If it throws, the item is
   * hidden.
   * @default everything is visible
   */
  visible?(
    published: McpToolDefinition | McpResourceDefinition | McpPromptDefinition,
    request: McpRequest,
  ): boolean | Promise<boolean>;
  /**
   * Key that signs the state which clients of 2026-07-28 send back between the rounds of an elicitation. At
   * least 32 bytes. Set one value in every process that may get a later round.
   * @default random, valid in one process
   */
  readonly stateSecret?: string;
  /** Receives a record of each call. @default none */
  readonly audit?: McpAuditOptions;
  /** OpenTelemetry: a mode, or options. @default 'full' */
  readonly telemetry?: McpTelemetryMode | McpTelemetryOptions;
}
