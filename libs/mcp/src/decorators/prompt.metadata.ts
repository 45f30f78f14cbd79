/** Options of `@McpPrompt`. */
export interface McpPromptOptions {
  /** Shown to the user who chooses a prompt. */
  readonly description: string;
  /** Unique across the server. @default `ControllerName.methodName` */
  readonly name?: string;
  /** A name for people. */
  readonly title?: string;
  /** Completions of the prompt's arguments, as in `@McpResource`. @default none */
  readonly complete?: Readonly<Record<string, string>>;
  /** As in `@McpTool`. */
  readonly scopes?: readonly string[];
  /** Milliseconds a prompt may take. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}
