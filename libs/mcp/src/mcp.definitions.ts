import type { JsonSchema } from './decorators/author-schema.js';

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

/** The software at the other end, as it introduced itself. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** What can be asked of a client, if it declared the capability of that name. */
export type ClientFeature = 'elicitation' | 'sampling' | 'roots';
