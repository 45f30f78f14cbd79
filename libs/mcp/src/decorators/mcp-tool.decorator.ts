import { SetMetadata } from '@nestjs/common';
import type { JsonSchema, StandardSchema } from './author-schema.js';

/** A worked example of a tool, published in its input schema. */
export interface McpToolExample {
  /** What the example shows. */
  readonly description: string;
  /** Arguments of the example call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the call answers. Documentation only. */
  readonly result?: Readonly<Record<string, unknown>>;
}

/**
 * Hints about a tool's behaviour (MCP 2025-11-25, `ToolAnnotations`). Derived from the route's verb
 * where left out.
 */
export interface McpToolAnnotations {
  /** Does not change anything. Default: true for GET. */
  readonly readOnlyHint?: boolean;
  /** May destroy something. Default: true for DELETE. */
  readonly destructiveHint?: boolean;
  /** Calling twice has the effect of calling once. Default: true for GET, PUT and DELETE. */
  readonly idempotentHint?: boolean;
  /** Reaches beyond this application. No default. */
  readonly openWorldHint?: boolean;
}

/** Options of `@McpTool`. */
export interface McpToolOptions {
  /** Shown to the model when it chooses a tool. */
  readonly description: string;
  /**
   * Tool name, unique across the server: 1 to 64 characters of `A-Za-z0-9_.-`.
   * @default `operationId` of `@ApiOperation` where present, else `ControllerName.methodName`
   */
  readonly name?: string;
  /**
   * Replaces the input schema derived from the route's parameters: a Standard Schema (zod, valibot,
   * ...) or a JSON Schema object. Path parameters it leaves out are added.
   */
  readonly inputSchema?: StandardSchema | JsonSchema;
  /** Published, and fills `structuredContent` of results. Documentation only: a deviation is logged. */
  readonly outputSchema?: StandardSchema | JsonSchema;
  /** Never expose the route, not even in auto mode. @default false */
  readonly hidden?: boolean;
  /** Examples, published as `examples` of the input schema. */
  readonly examples?: readonly McpToolExample[];
  /** A name for people. */
  readonly title?: string;
  /** Overrides of the hints derived from the verb. */
  readonly annotations?: McpToolAnnotations;
  /** Milliseconds a call may take. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
  /**
   * OAuth scopes the caller must have, all of them, as far as `auth.validate` tells by the principal
   * it returns. Lacking one: HTTP 403 `insufficient_scope`. @default none
   */
  readonly scopes?: readonly string[];
  /**
   * What the route's body is to the caller. `body`: the content, by its media type. `blocks`: a JSON
   * list of MCP content blocks, passed on as they are, for embedded resources and mixed content.
   * @default 'body'
   */
  readonly content?: 'body' | 'blocks';
}

/** Key under which `@McpTool` keeps its options on the method. */
export const MCP_TOOL_METADATA = 'fledge:mcp:tool';

/**
 * Publishes a controller route as an MCP tool. Only records: without `McpModule` in the application
 * it has no effect and loads nothing.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpTool({ description: 'Read one task' })
 * find(@Param('id', ParseIntPipe) id: number) {}
 * ```
 */
export function McpTool(options: McpToolOptions): MethodDecorator {
  return SetMetadata(MCP_TOOL_METADATA, options);
}

/** The options `@McpTool` recorded on a method; undefined where it carries none. */
export function getMcpToolMeta(method: Function): McpToolOptions | undefined {
  return Reflect.getMetadata(MCP_TOOL_METADATA, method) as McpToolOptions | undefined;
}

/** Whether a method carries `@McpTool`. */
export function isMcpTool(method: Function): boolean {
  return getMcpToolMeta(method) !== undefined;
}
