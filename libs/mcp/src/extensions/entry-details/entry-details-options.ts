import type { McpIcon } from '../../options/server-options.js';

/** Options of `@McpTool`, `@McpResource` and `@McpPrompt` for the entry in the list. */
export interface EntryDetails {
  /** Icons that clients may show. @default none */
  readonly icons?: readonly McpIcon[];
  /** Fields added to `_meta` in the list, for clients that support them. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}
