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
 * Which routes become tools. `explicit`: routes with `@McpTool`. `auto`: every route, except routes
 * that are left out by `include`, `exclude`, or `@ApiExcludeEndpoint()` and
 * `@ApiExcludeController()` of `@nestjs/swagger`.
 */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * Which tools have an output schema. `explicit`: tools with `outputSchema` in `@McpTool`.
 * `declared`: also tools whose route declares its response type.
 */
export type McpOutputSchemas = 'explicit' | 'declared';

/**
 * How clients connect. `sse` is a legacy alias of `http`. With `stdio`, or the environment variable
 * `FLEDGE_MCP_STDIO=1`, the application serves its parent process on stdin and stdout, and the HTTP
 * server does not listen. If `FLEDGE_MCP_TOKEN` is set, calls send this value as bearer token.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** Options of `McpModule.forRoot()`. */
export interface McpAdapterOptions extends McpServerOptions, McpExtensionOptions {
  /** Which routes become tools. @default 'explicit' */
  readonly mode?: McpExposureMode;
  /** How clients connect. @default 'http' */
  readonly transport?: McpTransport;
  /**
   * Base path of the endpoint `{basePath}/messages`. A global prefix does not apply.
   * @default '/_mcp'
   */
  readonly basePath?: string;
  /**
   * Several endpoints instead of the single endpoint at `basePath`. Each publishes the tools,
   * resources and prompts that its `tags`, `include` and `exclude` select, and has its own
   * authentication, sessions and description. All other options of the module apply to every
   * endpoint.
   * @default one endpoint, which publishes everything
   */
  readonly endpoints?: readonly McpEndpointOptions[];
  /** HTTP methods to publish in auto mode. @default GET, POST, PUT, PATCH, DELETE, QUERY */
  readonly include?: readonly HttpMethod[];
  /**
   * Paths to leave out in auto mode, with or without the global prefix and the version in the URI.
   * Whole segments are compared: `/admin/*` covers `/admin` and every path below it, but not
   * `/administrators`. A pattern that matches no route logs a warning at startup.
   * @default none
   */
  readonly exclude?: readonly string[];
  /**
   * Whether output schemas are derived from `@SerializeOptions({ schema })`, nestjs-zod and
   * `@ApiResponse`. Tools with an output schema send their result twice: as text and as
   * `structuredContent`.
   * @default 'explicit'
   */
  readonly outputSchemas?: McpOutputSchemas;
  /** Logs a warning at startup that lists the tools without a description. @default false */
  readonly warnUndescribed?: boolean;
  /**
   * Bearer authentication with your own function (`McpBearerAuthOptions`) or with tokens of an
   * OAuth provider (`McpOidcAuthOptions`).
   * @default none: only the guards of the routes check the caller
   */
  readonly auth?: McpAuthOptions;
  readonly sessions?: McpSessionOptions;
  /**
   * Additional headers of the MCP request that are forwarded to the route, such as `cookie` or
   * `x-api-key`. Always forwarded: authorization, mcp-session-id, accept-language, traceparent,
   * tracestate, baggage, and headers with the caller's address, such as `host` and
   * `x-forwarded-for`. With an empty list, only the address headers are forwarded. Hop-by-hop and
   * content headers are rejected at startup.
   * @default no additional headers
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Accepted values of `Origin`, in addition to the request's own host and localhost, such as
   * `https://app.example.com` or `chrome-extension://<id>`. A request with another value gets HTTP
   * 403.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Handles requests to the endpoints directly in the HTTP server, before Express or Fastify.
   * Middleware and hooks of the application then run only for the route's request of a tool call,
   * not for the MCP request. The endpoint answers CORS preflights for `allowedOrigins`. Has no
   * effect over stdio.
   * @default false
   */
  readonly direct?: boolean;
  /** Accepted host names, without port. A request with another host gets HTTP 403. @default any */
  readonly allowedHosts?: readonly string[];
  readonly limits?: McpLimitOptions;
  /**
   * Returns whether a caller may see a tool, resource or prompt. Hidden items are not listed, and
   * calling one returns the error for an unknown name. Runs at least once for every list and every
   * call. If it throws, the item is hidden.
   * @default everything is visible
   */
  visible?(
    published: McpToolDefinition | McpResourceDefinition | McpPromptDefinition,
    request: McpRequest,
  ): boolean | Promise<boolean>;
  /**
   * Key that signs the state which clients of MCP 2026-07-28 send back during an elicitation. At
   * least 32 bytes. Set the same value in every process that may receive the next request.
   * @default random, valid in one process
   */
  readonly stateSecret?: string;
  /**
   * Tools that are not controller routes, such as `graphqlOperations()` of `@fledge/mcp/graphql`.
   * `mode`, `include` and `exclude` do not apply to them.
   * @default none
   */
  readonly toolSources?: readonly McpToolSource[];
}

/**
 * One of several endpoints. Omitted server information (`name`, `version`, ...), `auth`, `sessions`
 * and extension options are taken from the module's options.
 */
export interface McpEndpointOptions extends Partial<McpServerOptions>, McpEndpointExtensionOptions {
  /** Server version sent to clients. @default the version of the module */
  readonly version?: string;
  /** Path of the endpoint, such as `/mcp/admin`. A global prefix does not apply. */
  readonly path: string;
  /**
   * Publishes only routes with one of these tags: in `@McpTool({ tags })`, `@McpResource({ tags })`
   * or `@McpPrompt({ tags })`, or else in `@ApiTags` of @nestjs/swagger.
   * @default everything
   */
  readonly tags?: readonly string[];
  /** Publishes only routes with these HTTP methods, in both modes. @default GET, POST, PUT, PATCH, DELETE, QUERY */
  readonly include?: readonly HttpMethod[];
  /** Paths of routes to leave out, in both modes. @default none */
  readonly exclude?: readonly string[];
  /** Bearer authentication of this endpoint. `false` disables the module's authentication. */
  readonly auth?: McpAuthOptions | false;
  /** Sessions of this endpoint. They are counted separately from other endpoints' sessions. */
  readonly sessions?: McpSessionOptions;
}

/** The options of the module, without the options of extensions. */
export type McpCoreOptions = Omit<McpAdapterOptions, keyof McpExtensionOptions>;

/** The options of an endpoint, without the options of extensions. */
export type McpCoreEndpointOptions = Omit<McpEndpointOptions, keyof McpEndpointExtensionOptions>;
