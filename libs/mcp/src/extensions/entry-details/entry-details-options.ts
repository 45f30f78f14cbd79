import type { McpIcon } from '../../options/server-options.js';

/** Options of `@McpTool`, `@McpResource` and `@McpPrompt`. */
export interface EntryDetails {
  /** Icons that clients may show. @default none */
  readonly icons?: readonly McpIcon[];
  /** Members of `_meta` in the list, for clients that know them. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}
