/**
 * Capabilities that the server declares (MCP 2025-11-25, `ServerCapabilities`). Only lists of extensions, and
 * what `visible` returns, change after startup.
 */
export interface McpCapabilities {
  readonly tools: Changing;
  readonly logging: Empty;
  /** Without `subscribe` if only extensions have resources, which are in no list. */
  readonly resources?: { readonly subscribe?: true } & Changing;
  readonly prompts?: Changing;
  readonly completions?: Empty;
  /** By identifier (SEP-1724). */
  readonly extensions?: Readonly<Record<string, Empty>>;
}

type Empty = Record<string, never>;

interface Changing {
  readonly listChanged?: true;
}
