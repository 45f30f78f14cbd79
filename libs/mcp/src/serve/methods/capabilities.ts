/**
 * Capabilities that the server declares (MCP 2025-11-25, `ServerCapabilities`). Lists change after
 * startup only because of extensions or `visible`.
 */
export interface McpCapabilities {
  readonly tools: Changing;
  readonly logging: Empty;
  /** `subscribe` is absent if all resources come from extensions and none is in the catalogue. */
  readonly resources?: { readonly subscribe?: true } & Changing;
  readonly prompts?: Changing;
  readonly completions?: Empty;
  /** Extensions by identifier (SEP-1724). */
  readonly extensions?: Readonly<Record<string, Empty>>;
}

type Empty = Record<string, never>;

interface Changing {
  readonly listChanged?: true;
}
