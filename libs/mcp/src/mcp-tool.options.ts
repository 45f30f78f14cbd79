import type { JsonSchema, StandardSchema } from './publish/decorators/author-schema.js';
import type { McpExtensionToolOptions } from './extensions/options.js';

/** An example call of a tool. Its arguments are published in the input schema. */
export interface McpToolExample {
  /** Description of the example. For documentation only. */
  readonly description: string;
  /** Arguments of the example call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Result of the call. For documentation only. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/**
 * Hints about a tool's behavior (MCP 2025-11-25, `ToolAnnotations`). Omitted hints are derived from
 * the HTTP method of the route. `readOnlyHint`, `destructiveHint` and `openWorldHint` are sent for
 * every tool.
 */
export interface McpToolAnnotations {
  /** The tool changes nothing. @default true for GET */
  readonly readOnlyHint?: boolean;
  /** The tool may change or delete existing data. @default true unless the tool is read-only */
  readonly destructiveHint?: boolean;
  /** A repeated call has no further effect. @default true for GET, PUT and DELETE */
  readonly idempotentHint?: boolean;
  /** The tool uses systems outside this application. @default false for every HTTP method */
  readonly openWorldHint?: boolean;
}

/** Options of `@McpTool`. */
export interface McpToolOptions extends McpExtensionToolOptions {
  /** Description shown to the model when it chooses a tool. */
  readonly description: string;
  /**
   * Tool name, unique on the server: 1 to 64 characters of `A-Za-z0-9_.-`.
   * @default `operationId` of `@ApiOperation` if present, else `ControllerName.methodName`; see `toolNames` of the module
   */
  readonly name?: string;
  /**
   * Replaces the input schema derived from the route's parameters: a Standard Schema (zod, valibot,
   * ...) or a JSON Schema object. Missing path parameters are added.
   * @default the derived schema
   */
  readonly inputSchema?: StandardSchema | JsonSchema;
  /**
   * Schema of the results. It is published, and results then contain `structuredContent`. A result
   * that does not match is still returned, and the mismatch is logged.
   * @default none, or the schema that the route declares: see `outputSchemas` of the module
   */
  readonly outputSchema?: StandardSchema | JsonSchema;
  /** Never publishes the route as a tool, not even in auto mode. @default false */
  readonly hidden?: boolean;
  /** Example calls, published as `examples` of the input schema. @default none */
  readonly examples?: readonly McpToolExample[];
  /** Display name. @default the summary of `@ApiOperation`, else the words of the name */
  readonly title?: string;
  /** Overrides the hints derived from the HTTP method. */
  readonly annotations?: McpToolAnnotations;
  /**
   * Tags by which an endpoint selects tools; see `McpEndpointOptions.tags`.
   * @default the tags of `@ApiTags` of @nestjs/swagger
   */
  readonly tags?: readonly string[];
  /** Timeout of a call in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
  /**
   * Required OAuth scopes. The principal that `auth.validate` returns must have all of them in
   * `scopes`. Otherwise the call fails with HTTP 403 `insufficient_scope`.
   * @default none
   */
  readonly scopes?: readonly string[];
  /**
   * How the response body becomes content. `body`: one content block, according to its media type.
   * `blocks`: the body is a JSON list of MCP content blocks and is sent unchanged, for embedded
   * resources and mixed content.
   * @default 'body'
   */
  readonly content?: 'body' | 'blocks';
  /**
   * Names of arguments to replace with `[redacted]` in call records and traces. `user.pin` is the
   * field `pin` of the argument `user`, or of each of its items. Arguments whose schema has
   * `writeOnly` or `format: password` are always replaced.
   * @default none
   */
  readonly redact?: readonly string[];
}

/** The options of `@McpTool`, without the options of extensions. */
export type McpCoreToolOptions = Omit<McpToolOptions, keyof McpExtensionToolOptions>;
