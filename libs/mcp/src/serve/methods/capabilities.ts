/**
 * Capabilities that the server declares to clients (MCP 2025-11-25, `ServerCapabilities`). After
 * startup, only extensions and `visible` can change the lists.
 */
export interface McpCapabilities {
  readonly tools: Changing;
  readonly logging: Empty;
  /** Without `subscribe` if only extensions provide resources. */
  readonly resources?: { readonly subscribe?: true } & Changing;
  readonly prompts?: Changing;
  readonly completions?: Empty;
  /** Capabilities of extensions, by the extension's identifier (SEP-1724). */
  readonly extensions?: Readonly<Record<string, Empty>>;
}

type Empty = Record<string, never>;

interface Changing {
  readonly listChanged?: true;
}
