import type { JsonSchema } from './decorators/tool.metadata.js';

/** Verbs a call can use. HEAD, OPTIONS and ALL routes are never published. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every published thing tells of itself. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly httpMethod: HttpMethod;
  /** Path of the route as the router serves it, global prefix and version included. */
  readonly mountPath: string;
}

/** What `McpAdapter.getTools()` tells of a tool. */
export interface McpToolDefinition extends McpDefinition {
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonSchema;
}

/** What `McpAdapter.getResources()` tells of a resource. */
export interface McpResourceDefinition extends McpDefinition {
  /** URI, or URI template (RFC 6570). */
  readonly uri: string;
}

/** What `McpAdapter.getPrompts()` tells of a prompt. */
export interface McpPromptDefinition extends McpDefinition {
  readonly arguments: readonly McpPromptArgument[];
}

/** An argument of a prompt: a text, as users type it. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}
