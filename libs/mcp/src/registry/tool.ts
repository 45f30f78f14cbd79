import type { Route } from '../discovery/route.js';
import type { JsonSchema, McpToolAnnotations } from '../decorators/tool.metadata.js';
import type { HttpMethod } from '../mcp.options.js';
import type { ToolInput } from '../schema/tool-input.js';
import type { ToolOutput } from './tool-output.js';

/** What `McpAdapter.getTools()` tells of a tool. */
export interface McpToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly httpMethod: HttpMethod;
  /** Path of the route as the router serves it, global prefix and version included. */
  readonly mountPath: string;
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonSchema;
}

/** A route made into a tool: all a call needs, built once at boot. */
export interface Tool extends McpToolDefinition {
  readonly title: string | undefined;
  readonly output: ToolOutput | undefined;
  readonly annotations: McpToolAnnotations;
  readonly route: Route;
  readonly input: ToolInput;
  /** Milliseconds a call may take. */
  readonly timeoutMs: number;
}
