import type { JsonSchema } from './publish/decorators/author-schema.js';

/** HTTP methods of routes that can be published. HEAD, OPTIONS and ALL routes are not published. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY';

/** The fields that tools, resources and prompts have in common. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly httpMethod: HttpMethod;
  /**
   * Path of the route, including global prefix and version. Empty for a page from a file, which has
   * no route.
   */
  readonly mountPath: string;
  /**
   * Tags of the item's decorator. If the decorator has none, the tags of `@ApiTags`. Undefined if
   * neither has tags.
   */
  readonly tags?: readonly string[];
}

/** A tool. `McpAdapter.getTools()` returns such definitions. */
export interface McpToolDefinition extends McpDefinition {
  /** JSON Schema 2020-12. */
  readonly inputSchema: JsonSchema;
}

/** A resource or resource template. `McpAdapter.getResources()` returns such definitions. */
export interface McpResourceDefinition extends McpDefinition {
  /** URI, or URI template (RFC 6570). */
  readonly uri: string;
}

/** A prompt. `McpAdapter.getPrompts()` returns such definitions. */
export interface McpPromptDefinition extends McpDefinition {
  readonly arguments: readonly McpPromptArgument[];
}

/** An argument of a prompt. The value of the argument is always a string. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** An endpoint. `McpAdapter.getEndpoints()` returns such definitions. */
export interface McpEndpointDefinition {
  readonly path: string;
  /** Name of the endpoint's server. Clients receive this name. */
  readonly name: string;
  /** Names of the endpoint's tools. */
  readonly tools: readonly string[];
  /** URIs and URI templates of the endpoint's resources. */
  readonly resources: readonly string[];
  /** Names of the endpoint's prompts. */
  readonly prompts: readonly string[];
}

/** Name and version that a client reports about itself. The values are not verified. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/**
 * A client capability. If the client declared this capability, the server can send this kind of
 * request to the client. `elicitation`: a form. `elicitation.url`: a web page that the user opens.
 */
export type ClientFeature = 'elicitation' | 'elicitation.url' | 'sampling' | 'roots';
