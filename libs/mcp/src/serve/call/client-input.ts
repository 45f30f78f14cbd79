import type { JsonSchema, StandardSchema } from '../../publish/decorators/author-schema.js';

/** A form that the client shows to the user (MCP 2025-11-25, elicitation). */
export interface McpElicitRequest<Content> {
  /** Message shown to the user. */
  readonly message: string;
  /**
   * Fields of the form: a Standard Schema (such as zod) or a JSON Schema with `type: 'object'`. A
   * Standard Schema also parses and types the content. Clients support flat objects of strings,
   * numbers, booleans and enumerations.
   */
  readonly schema: StandardSchema<Content> | JsonSchema;
  /**
   * Identifies the question within the route.
   * @default kind and number of the question: `elicitation-1`
   */
  readonly key?: string;
}

/** The user's action. `unavailable`: the request is plain HTTP, so there is no client to ask. */
export type McpElicitation<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A page for the user to open (MCP 2025-11-25, elicitation in URL mode, SEP-1036). */
export interface McpElicitUrlRequest {
  /** Message shown to the user. The message says why to open the page. */
  readonly message: string;
  /**
   * Absolute http or https URL of the page. The URL must not contain secrets. The page must check
   * that the visitor is the user of the call, because somebody else may have received the URL.
   */
  readonly url: string;
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/**
 * The user's action. `accept`: the user agreed to open the page. The user may not have finished
 * yet.
 */
export type McpUrlElicitation =
  | {
      readonly action: 'accept';
      /**
       * Tells a client of MCP 2025-11-25 that the user has finished. Has no effect for clients of
       * MCP 2026-07-28, or after the call has ended.
       */
      complete(): void;
    }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A request to the client's language model (MCP 2025-11-25, `CreateMessageRequest`). */
export interface McpSampleRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/** The response of the client's language model (MCP 2025-11-25, `CreateMessageResult`). */
export interface McpSample {
  readonly role: 'user' | 'assistant';
  /** A content block, or a list of content blocks. */
  readonly content: unknown;
  readonly model: string;
  readonly stopReason?: string;
}

/** A directory or file in which the client works (MCP 2025-11-25, `Root`). */
export interface McpRoot {
  readonly uri: string;
  readonly name?: string;
}
