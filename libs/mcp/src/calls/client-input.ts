import type { JsonSchema, StandardSchema } from '../decorators/author-schema.js';

/** A form for the user of the client (MCP 2025-11-25, elicitation). */
export interface McpElicitRequest<Content> {
  /** The text shown to the user. */
  readonly message: string;
  /**
   * Fields of the form: a Standard Schema (zod and others), by which the content is parsed and typed,
   * or a JSON Schema of type object. Clients take flat objects of texts, numbers, truth values and
   * enumerations.
   */
  readonly schema: StandardSchema<Content> | JsonSchema;
  /** Tells the questions of a route apart. @default their place in the order of asking */
  readonly key?: string;
}

/** What the user did. `unavailable`: the request is plain HTTP, which has no client to ask. */
export type McpElicitation<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A request to the client's model (MCP 2025-11-25, `CreateMessageRequest`). */
export interface McpSampleRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Tells the questions of a route apart. @default their place in the order of asking */
  readonly key?: string;
}

/** What the client's model said (MCP 2025-11-25, `CreateMessageResult`). */
export interface McpSample {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

/** A place the client works in (MCP 2025-11-25, `Root`). */
export interface McpRoot {
  readonly uri: string;
  readonly name?: string;
}
