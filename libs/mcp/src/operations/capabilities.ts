/**
 * Capabilities that the server declares (MCP 2025-11-25, `ServerCapabilities`). Lists do not change after
 * startup.
 */
export interface McpCapabilities {
  readonly tools: Empty;
  readonly logging: Empty;
  /** Without `subscribe` if only extensions have resources, which are in no list. */
  readonly resources?: { readonly subscribe?: true };
  readonly prompts?: Empty;
  readonly completions?: Empty;
  /** By identifier (SEP-1724). */
  readonly extensions?: Readonly<Record<string, Empty>>;
}

type Empty = Record<string, never>;
