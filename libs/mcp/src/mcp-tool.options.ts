import type { JsonSchema, StandardSchema } from './publish/decorators/author-schema.js';
import type { McpExtensionToolOptions } from './extensions/options.js';

/** An example call of a tool. The arguments of the example are published in the input schema. */
export interface McpToolExample {
  /** Description of the example. The description only documents the code. It is not published. */
  readonly description: string;
  /** Arguments of the example call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Result of the call. The result only documents the code. It is not published. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/**
 * Hints about a tool's behavior (MCP 2025-11-25, `ToolAnnotations`). If you omit a hint, the hint
 * is derived from the HTTP method of the route. `readOnlyHint`, `destructiveHint` and
 * `openWorldHint` are sent for every tool.
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
  /** Description of the tool. The model uses the description to choose a tool. */
  readonly description: string;
  /**
   * Tool name: 1 to 64 characters of `A-Za-z0-9_.-`. The name must be unique on the server. The
   * module option `toolNames` can change the default.
   * @default `operationId` of `@ApiOperation`, or else `ControllerName.methodName`
   */
  readonly name?: string;
  /**
   * Input schema that replaces the schema derived from the route's parameters. A Standard Schema
   * (zod, valibot, ...) or a JSON Schema object. If the input schema lacks a path parameter, the
   * parameter is added.
   * @default the derived schema
   */
  readonly inputSchema?: StandardSchema | JsonSchema;
  /**
   * Schema of the results. Clients receive this schema, and each result then contains
   * `structuredContent`. A result that does not match the schema is still returned, and a warning
   * is logged. With the module option `outputSchemas: 'declared'`, the default is the schema that
   * the route declares.
   * @default none
   */
  readonly outputSchema?: StandardSchema | JsonSchema;
  /** Never publishes the route as a tool, not even in auto mode. @default false */
  readonly hidden?: boolean;
  /** Example calls. The arguments are published as `examples` of the input schema. @default none */
  readonly examples?: readonly McpToolExample[];
  /**
   * Display name of the tool.
   * @default the summary of `@ApiOperation`, or else the words of the name
   */
  readonly title?: string;
  /** Replaces hints that are derived from the HTTP method. */
  readonly annotations?: McpToolAnnotations;
  /**
   * Tags of the tool. An endpoint can select tools by tags: see `McpEndpointOptions.tags`.
   * @default the tags of `@ApiTags` of @nestjs/swagger
   */
  readonly tags?: readonly string[];
  /** Timeout of a call in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
  /**
   * OAuth scopes that a caller needs. The principal returned by `auth.validate` must contain all of
   * them in `scopes`. Otherwise the call fails with HTTP 403 `insufficient_scope`.
   * @default none
   */
  readonly scopes?: readonly string[];
  /**
   * The conversion of the response body to content. `body`: the result is one content block, and
   * the media type selects the type of the block. `blocks`: the body is a JSON list of MCP content
   * blocks, which is sent unchanged. Use `blocks` for embedded resources and mixed content.
   * @default 'body'
   */
  readonly content?: 'body' | 'blocks';
  /**
   * Arguments whose values are replaced with `[redacted]` in call records and traces. For a field
   * of an argument, use a path: `user.pin` is the field `pin` of the argument `user`. If `user` is
   * an array, the path applies to each item. If the schema of an argument has `writeOnly` or
   * `format: password`, the value is always replaced.
   * @default none
   */
  readonly redact?: readonly string[];
}

/** The options of `@McpTool`, without the options of extensions. */
export type McpCoreToolOptions = Omit<McpToolOptions, keyof McpExtensionToolOptions>;
