import type { McpAuthOptions, McpRequest } from './options/auth-options.js';
import type { McpEndpointExtensionOptions, McpExtensionOptions } from './extensions/options.js';
import type {
  HttpMethod,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
import type { McpLimitOptions } from './options/limit-options.js';
import type { McpIcon, McpServerOptions } from './options/server-options.js';
import type { McpSessionOptions } from './options/session-options.js';
import type { McpToolSource } from './tool-source.js';

/**
 * Selects the routes that become tools. `explicit`: routes with `@McpTool`. `auto`: all routes that
 * are not excluded. Routes can be excluded by the options `include` and `exclude`, and by
 * `@ApiExcludeEndpoint()` and `@ApiExcludeController()` of `@nestjs/swagger`.
 */
export type McpExposureMode = 'explicit' | 'auto';

/**
 * Selects the tools that have an output schema. `explicit`: tools with `outputSchema` in
 * `@McpTool`. `declared`: in addition, tools of routes that declare a response type.
 */
export type McpOutputSchemas = 'explicit' | 'declared';

/**
 * The transport between clients and the server. `sse` is a legacy alias of `http`. With `stdio`,
 * the application serves its parent process on stdin and stdout, and the HTTP server does not
 * listen. The environment variable `FLEDGE_MCP_STDIO=1` also selects `stdio`. Over stdio, every
 * call sends the value of `FLEDGE_MCP_TOKEN`, if set, as its bearer token. If `forwardHeaders` is an
 * empty list, routes do not get this token.
 */
export type McpTransport = 'stdio' | 'sse' | 'http';

/** Options of `McpModule.forRoot()`. */
export interface McpAdapterOptions extends McpServerOptions, McpExtensionOptions {
  /** Selects the routes that become tools. @default 'explicit' */
  readonly mode?: McpExposureMode;
  /** The transport between clients and the server. @default 'http' */
  readonly transport?: McpTransport;
  /**
   * Base path of the endpoint `{basePath}/messages`. A global prefix does not apply.
   * @default '/_mcp'
   */
  readonly basePath?: string;
  /**
   * Several endpoints that replace the single endpoint at `basePath`. Each endpoint publishes the
   * tools, resources and prompts that the endpoint's options `tags`, `include` and `exclude`
   * select. Each endpoint has its own authentication, sessions and server information. The other
   * options of the module apply to all endpoints.
   * @default one endpoint, which publishes everything
   */
  readonly endpoints?: readonly McpEndpointOptions[];
  /**
   * HTTP methods of the routes to publish in auto mode.
   * @default GET, POST, PUT, PATCH, DELETE, QUERY
   */
  readonly include?: readonly HttpMethod[];
  /**
   * Paths of routes that are not published in auto mode. You may omit the global prefix and the URI
   * version. Whole segments are compared: `/admin/*` matches `/admin` and every path below it, but
   * not `/administrators`. If a pattern matches no route, a warning is logged at startup.
   * @default none
   */
  readonly exclude?: readonly string[];
  /**
   * With `declared`, output schemas are derived from `@SerializeOptions({ schema })`, nestjs-zod
   * and `@ApiResponse`. A tool with an output schema sends each result twice: as text and as
   * `structuredContent`.
   * @default 'explicit'
   */
  readonly outputSchemas?: McpOutputSchemas;
  /**
   * Logs a warning at startup if tools have no description. The warning lists these tools.
   * @default false
   */
  readonly warnUndescribed?: boolean;
  /**
   * Bearer authentication: with your own function (`McpBearerAuthOptions`), or with tokens of an
   * OAuth provider (`McpOidcAuthOptions`).
   * @default none: only the guards of the routes check the caller
   */
  readonly auth?: McpAuthOptions;
  readonly sessions?: McpSessionOptions;
  /**
   * Additional headers of the MCP request that are forwarded to the route, such as `cookie` or
   * `x-api-key`. The default headers are always forwarded: authorization, mcp-session-id,
   * accept-language, traceparent, tracestate, baggage, and headers with the caller's address, such
   * as `host` and `x-forwarded-for`. Exception: if you set an empty list, only the address headers
   * are forwarded. Even then, routes get the tenant headers of `@fledge/tenant` and, if the
   * application registers an OpenTelemetry SDK, the trace headers of `telemetry`. Handlers of
   * `servers` always get all headers. If the list contains a hop-by-hop or content header, startup
   * fails.
   * @default no additional headers
   */
  readonly forwardHeaders?: readonly string[];
  /**
   * Allowed values of the header `Origin`, such as `https://app.example.com` or
   * `chrome-extension://<id>`. The request's own host and localhost are always allowed. A request
   * with another `Origin` gets HTTP 403.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Handles requests to the endpoints directly in the HTTP server, before Express or Fastify. The
   * application's middleware and hooks then do not run for MCP requests. For each tool call,
   * middleware and hooks still run for the request of the route. The endpoint answers CORS
   * preflights for `allowedOrigins`. Has no effect over stdio.
   * @default false
   */
  readonly direct?: boolean;
  /** Accepted host names, without port. A request with another host gets HTTP 403. @default any */
  readonly allowedHosts?: readonly string[];
  readonly limits?: McpLimitOptions;
  /**
   * Returns true if the caller may see a tool, resource or prompt. A hidden item is not listed. A
   * call of a hidden item gets the same error as a call of an unknown item. Runs at least once for
   * every list and every call. If the function throws, the item is hidden.
   * @default everything is visible
   */
  visible?(
    published: McpToolDefinition | McpResourceDefinition | McpPromptDefinition,
    request: McpRequest,
  ): boolean | Promise<boolean>;
  /**
   * Key of at least 32 bytes. It signs the state that clients of MCP 2026-07-28 send back when they
   * answer a question. All processes that share clients need the same key.
   * @default a random key, valid in one process
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
 * One entry of the option `endpoints`. If you omit server information (`name`, `version`, ...),
 * `auth`, `sessions` or an extension option, the module's value applies.
 */
export interface McpEndpointOptions extends Partial<McpServerOptions>, McpEndpointExtensionOptions {
  /** Server name sent to clients. @default the name of the module */
  readonly name?: string;
  /** Server version sent to clients. @default the version of the module */
  readonly version?: string;
  /**
   * Name that clients show to users.
   * @default the title of the module, or no title if the endpoint has its own `name`
   */
  readonly title?: string;
  /** Description of the server. @default the description of the module */
  readonly description?: string;
  /** Instructions for the model. @default the instructions of the module */
  readonly instructions?: string;
  /** URL of a website about the server. @default the URL of the module */
  readonly websiteUrl?: string;
  /** Icons that clients may show. @default the icons of the module */
  readonly icons?: readonly McpIcon[];
  /** Path of the endpoint, such as `/mcp/admin`. A global prefix does not apply. */
  readonly path: string;
  /**
   * Publishes only items with at least one of these tags. The tags of an item are in `@McpTool({
   * tags })`, `@McpResource({ tags })` or `@McpPrompt({ tags })`. If the decorator has no tags, the
   * tags of `@ApiTags` apply. The tags of an SDK server are in the module's option `servers`.
   * @default everything
   */
  readonly tags?: readonly string[];
  /**
   * Publishes only routes with these HTTP methods. Applies to both values of `mode`. If all methods
   * are GET or QUERY, only tools of SDK servers with `readOnlyHint: true` are published.
   * @default GET, POST, PUT, PATCH, DELETE, QUERY
   */
  readonly include?: readonly HttpMethod[];
  /** Paths of routes that are not published. Applies to both values of `mode`. @default none */
  readonly exclude?: readonly string[];
  /**
   * Bearer authentication of this endpoint. `false`: the module's authentication does not apply to
   * this endpoint.
   * @default the authentication of the module
   */
  readonly auth?: McpAuthOptions | false;
  /**
   * Sessions of this endpoint. `max` does not count the sessions of other endpoints. An option that
   * you omit in this object has its default value, not the module's value.
   * @default `sessions` of the module
   */
  readonly sessions?: McpSessionOptions;
}

/** The options of the module, without the options of extensions. */
export type McpCoreOptions = Omit<McpAdapterOptions, keyof McpExtensionOptions>;

/** The options of an endpoint, without the options of extensions. */
export type McpCoreEndpointOptions = Omit<McpEndpointOptions, keyof McpEndpointExtensionOptions>;
