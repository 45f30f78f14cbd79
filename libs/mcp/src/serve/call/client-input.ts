import type { JsonSchema, StandardSchema } from '../../publish/decorators/author-schema.js';

/** A form for the user of the client (MCP 2025-11-25, elicitation). */
export interface McpElicitRequest<Content> {
  /** The text shown to the user. */
  readonly message: string;
  /**
   * Fields of the form: a Standard Schema (such as zod), which parses and types the content, or a JSON
   * Schema of type object. Clients support flat objects of strings, numbers, booleans and enumerations.
   */
  readonly schema: StandardSchema<Content> | JsonSchema;
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/** The user's action. `unavailable`: the request is plain HTTP, without a client to ask. */
export type McpElicitation<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' | 'unavailable' };

/** A page that the user opens (MCP 2025-11-25, elicitation in URL mode, SEP-1036). */
export interface McpElicitUrlRequest {
  /** Why the user should open the page. */
  readonly message: string;
  /**
   * The page, http or https. Nothing in it may be secret. Check in the page that it is opened by the user of the call: its
   * address may have been passed on.
   */
  readonly url: string;
  /** Identifies the question within the route. @default kind and number of the question: `elicitation-1` */
  readonly key?: string;
}

/** The user's action. `accept`: they agreed to open the page, and may not be done with it. */
export type McpUrlElicitation =
  | {
      readonly action: 'accept';
      /** Tells a client of 2025-11-25 that the user is done. Does nothing in 2026-07-28, and once the call is over. */
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

/** The answer of the client's model (MCP 2025-11-25, `CreateMessageResult`). */
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
