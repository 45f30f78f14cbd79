import type { McpAuthOptions, McpRequest } from './options/auth-options.js';
import type { McpEndpointExtensionOptions, McpExtensionOptions } from './extensions/options.js';
import type {
  HttpMethod,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
import type { McpLimitOptions } from './options/limit-options.js';
import type { McpServerOptions } from './options/server-options.js';
import type { McpSessionOptions } from './options/session-options.js';
import type { McpToolSource } from './tool-source.js';

/**
 * Which routes become tools: `explicit` publishes those with `@McpTool`, `auto` publishes every route, limited by
 * `include` and `exclude`, and by `@ApiExcludeEndpoint()` and `@ApiExcludeController()` of `@nestjs/swagger`.
 */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * Which tools have an output schema: `explicit` those with `outputSchema` in `@McpTool`, `declared` also those
 * whose route declares its answer.
 */
export type McpOutputSchemas = 'explicit' | 'declared';

/**
 * How clients connect. `sse` is a legacy alias of `http`. With `stdio`, or the environment variable
 * `FLEDGE_MCP_STDIO=1`, the application serves its parent process on stdin and stdout and the HTTP server
 * does not listen. If `FLEDGE_MCP_TOKEN` is set, calls carry it as bearer token.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** Options of `McpModule.forRoot()`. */
export interface McpAdapterOptions extends McpServerOptions, McpExtensionOptions {
  /** @default 'explicit' */
  readonly mode?: McpExposureMode;
  /** @default 'http' */
  readonly transport?: McpTransport;
  /** The endpoint is `{basePath}/messages`; a global prefix does not apply. @default '/_mcp' */
  readonly basePath?: string;
  /**
   * Several endpoints in place of the one at `basePath`. Each publishes what its `tags`, `include` and
   * `exclude` select, with its own authentication, sessions and description. They share the
   * other options of the module.
   * @default one endpoint, which publishes everything
   */
  readonly endpoints?: readonly McpEndpointOptions[];
  /** Auto mode: HTTP methods to expose. @default GET, POST, PUT, PATCH, DELETE, QUERY */
  readonly include?: readonly HttpMethod[];
  /**
   * Auto mode: paths to leave out, with or without the global prefix and the version in the URI. Whole segments are
   * compared: `/admin/*` covers `/admin` and every path below it, but not `/administrators`. A pattern that covers no
   * route logs a warning at startup.
   * @default none
   */
  readonly exclude?: readonly string[];
  /**
   * Whether output schemas are derived from `@SerializeOptions({ schema })`, nestjs-zod and `@ApiResponse`.
   * Answers of tools with an output schema are sent twice: as text and as `structuredContent`.
   * @default 'explicit'
   */
  readonly outputSchemas?: McpOutputSchemas;
  /** Names the tools without a description in a warning at boot. @default false */
  readonly warnUndescribed?: boolean;
  /**
   * Bearer authentication: by a function of yours (`McpBearerAuthOptions`) or by tokens of a
   * provider (`McpOidcAuthOptions`).
   * @default none: only the guards of the routes check the caller
   */
  readonly auth?: McpAuthOptions;
  readonly sessions?: McpSessionOptions;
  /**
   * Additional headers of the MCP request that reach the route, such as `cookie` or `x-api-key`. These are always
   * forwarded: authorization, mcp-session-id, accept-language, traceparent, tracestate, baggage, and those about the
   * caller's address, such as `host` and `x-forwarded-for`. An empty list forwards only those about the address.
   * Hop-by-hop and content headers are rejected at boot.
   * @default none in addition
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Values of `Origin` to accept, in addition to the request's own host and localhost, such as
   * `https://app.example.com` or `chrome-extension://<id>`. A request with another value gets HTTP 403.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Passes requests to the endpoints from the HTTP server to Fledge, ahead of the platform. Middleware and hooks of the
   * application run only for the request to a route that a tool call becomes. The endpoint answers CORS preflights for
   * `allowedOrigins`. Not over stdio.
   * @default false
   */
  readonly direct?: boolean;
  /** Host names to accept, without port. Another host gets HTTP 403. @default any */
  readonly allowedHosts?: readonly string[];
  readonly limits?: McpLimitOptions;
  /**
   * Returns whether a caller may see a tool, resource or prompt. Hidden ones are not listed, and a call of
   * one gets the error of an unknown name. Runs at least once for every list and every call. If it throws, the item is
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
  /**
   * Tools that are not routes of controllers, such as those of `graphqlOperations()` of
   * `@fledge/mcp/graphql`. `mode`, `include` and `exclude` do not apply to them.
   * @default none
   */
  readonly toolSources?: readonly McpToolSource[];
}

/**
 * One endpoint of several. What it leaves out of `name`, `version` and the other facts about the server,
 * `auth`, `sessions` and the options of extensions is as in the module's options.
 */
export interface McpEndpointOptions extends Partial<McpServerOptions>, McpEndpointExtensionOptions {
  /** Server version sent to clients. @default that of the module */
  readonly version?: string;
  /** Path of the endpoint, such as `/mcp/admin`. A global prefix does not apply. */
  readonly path: string;
  /**
   * Publishes only what has one of these tags: in `@McpTool({ tags })`, `@McpResource({ tags })` or
   * `@McpPrompt({ tags })`, or else in `@ApiTags` of @nestjs/swagger.
   * @default everything
   */
  readonly tags?: readonly string[];
  /** Publishes only routes with these HTTP methods, in both modes. @default GET, POST, PUT, PATCH, DELETE, QUERY */
  readonly include?: readonly HttpMethod[];
  /** Leaves out the routes at these paths, in both modes. @default none */
  readonly exclude?: readonly string[];
  /** Bearer authentication of this endpoint. `false`: none, although the module has one. */
  readonly auth?: McpAuthOptions | false;
  /** Sessions of this endpoint, which are counted apart from those of the others. */
  readonly sessions?: McpSessionOptions;
}

/** The options of the module without those of extensions. */
export type McpCoreOptions = Omit<McpAdapterOptions, keyof McpExtensionOptions>;

/** The options of an endpoint without those of extensions. */
export type McpCoreEndpointOptions = Omit<McpEndpointOptions, keyof McpEndpointExtensionOptions>;
