import type { JsonSchema, StandardSchema } from './publish/decorators/author-schema.js';
import type { McpExtensionToolOptions } from './extensions/options.js';

/** An example call of a tool. Its arguments are published in the input schema. */
export interface McpToolExample {
  /** What the example shows. Documentation only. */
  readonly description: string;
  /** Arguments of the example call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Result of the call. Documentation only. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/**
 * Hints about a tool's behavior (MCP 2025-11-25, `ToolAnnotations`). Omitted hints are derived from
 * the HTTP method of the route. Each tool sends the hints about reading, destroying and other systems.
 */
export interface McpToolAnnotations {
  /** The tool changes nothing. @default true for GET */
  readonly readOnlyHint?: boolean;
  /** The tool may change or remove what exists. @default true unless the tool is read-only */
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
   * Schema of the results. It is published, and results then have `structuredContent`. A result
   * that does not match is still returned; the mismatch is logged.
   * @default none, or what the route declares: see `outputSchemas` of the module
   */
  readonly outputSchema?: StandardSchema | JsonSchema;
  /** Excludes the route from the tools, also in auto mode. @default false */
  readonly hidden?: boolean;
  /** Example calls, published as `examples` of the input schema. @default none */
  readonly examples?: readonly McpToolExample[];
  /** Display name. @default the summary of `@ApiOperation`, else the words of the name */
  readonly title?: string;
  /** Overrides the hints derived from the HTTP method. */
  readonly annotations?: McpToolAnnotations;
  /**
   * Tags, by which an endpoint selects what it publishes; see `McpEndpointOptions.tags`.
   * @default those of `@ApiTags` of @nestjs/swagger
   */
  readonly tags?: readonly string[];
  /** Time-out of a call in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
  /**
   * Required OAuth scopes. The caller must have each of them in `scopes` of the principal that
   * `auth.validate` returns. Otherwise the call fails with HTTP 403 `insufficient_scope`.
   * @default none
   */
  readonly scopes?: readonly string[];
  /**
   * How the response body becomes content. `body`: one content block, by its media type. `blocks`:
   * the body is a JSON list of MCP content blocks, sent unchanged, for embedded resources and mixed
   * content.
   * @default 'body'
   */
  readonly content?: 'body' | 'blocks';
  /**
   * Names of arguments to replace by `[redacted]` in records of calls and in traces. `user.pin` is the
   * member `pin` of the argument `user`, or of each of its items. Arguments whose schema has `writeOnly` or
   * `format: password` are replaced without it.
   * @default none
   */
  readonly redact?: readonly string[];
}

/** The options of `@McpTool` without those of extensions. */
export type McpCoreToolOptions = Omit<McpToolOptions, keyof McpExtensionToolOptions>;
