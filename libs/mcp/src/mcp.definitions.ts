import type { JsonSchema } from './publish/decorators/author-schema.js';

/** HTTP methods that a published route can have. HEAD, OPTIONS and ALL routes are not published. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY';

/** The fields that definitions of tools, resources and prompts share. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly httpMethod: HttpMethod;
  /**
   * Path of the route in the router, including global prefix and version. Empty for a page that is
   * served from a file.
   */
  readonly mountPath: string;
  /** Tags of the decorator, or else of `@ApiTags`. Undefined if there are none. */
  readonly tags?: readonly string[];
}

/** A tool, as returned by `McpAdapter.getTools()`. */
export interface McpToolDefinition extends McpDefinition {
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonSchema;
}

/** A resource or resource template, as returned by `McpAdapter.getResources()`. */
export interface McpResourceDefinition extends McpDefinition {
  /** URI, or URI template (RFC 6570). */
  readonly uri: string;
}

/** A prompt, as returned by `McpAdapter.getPrompts()`. */
export interface McpPromptDefinition extends McpDefinition {
  readonly arguments: readonly McpPromptArgument[];
}

/** An argument of a prompt. Clients send the value as a string, as entered by the user. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** An endpoint, as returned by `McpAdapter.getEndpoints()`. */
export interface McpEndpointDefinition {
  readonly path: string;
  /** Server name that the endpoint sends to clients. */
  readonly name: string;
  /** Names of the endpoint's tools. */
  readonly tools: readonly string[];
  /** URIs and URI templates of the endpoint's resources. */
  readonly resources: readonly string[];
  /** Names of the endpoint's prompts. */
  readonly prompts: readonly string[];
}

/** Name and version reported by the client. Not verified. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/**
 * Requests that the server can send to a client that declared the capability. `elicitation`: forms.
 * `elicitation.url`: web pages that the user opens.
 */
export type ClientFeature = 'elicitation' | 'elicitation.url' | 'sampling' | 'roots';
