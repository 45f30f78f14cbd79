import type { JsonSchema, StandardSchema } from '../../publish/decorators/author-schema.js';

/** A form for the user of the client (MCP 2025-11-25, elicitation). */
export interface McpElicitRequest<Content> {
  /** Message shown to the user. */
  readonly message: string;
  /**
   * Fields of the form: a Standard Schema (such as zod), which parses and types the content, or a
   * JSON Schema of type object. Clients support flat objects of strings, numbers, booleans and
   * enumerations.
   */
  readonly schema: StandardSchema<Content> | JsonSchema;
  /**
   * Identifies the question within the route. @default kind and number of the question:
   * `elicitation-1`
   */
  readonly key?: string;
}

/**
 * The user's action. `unavailable`: there is no client to ask, because the request is plain HTTP.
 */
export type McpElicitation<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A page that the user opens (MCP 2025-11-25, elicitation in URL mode, SEP-1036). */
export interface McpElicitUrlRequest {
  /** Tells the user why to open the page. */
  readonly message: string;
  /**
   * URL of the page, http or https. It must not contain secrets. The page must check that its
   * visitor is the user of the call, because the URL may have been forwarded to somebody else.
   */
  readonly url: string;
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/** The user's action. `accept`: the user agreed to open the page, but may not have finished yet. */
export type McpUrlElicitation =
  | {
      readonly action: 'accept';
      /**
       * Tells a client of MCP 2025-11-25 that the user has finished. Does nothing in 2026-07-28, or
       * after the call has ended.
       */
      complete(): void;
    }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A request to the client's model (MCP 2025-11-25, `CreateMessageRequest`). */
export interface McpSampleRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/** The response of the client's model (MCP 2025-11-25, `CreateMessageResult`). */
export interface McpSample {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

/** A directory or file that the client works in (MCP 2025-11-25, `Root`). */
export interface McpRoot {
  readonly uri: string;
  readonly name?: string;
}
