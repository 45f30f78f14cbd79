/** Result of `resources/read` (MCP 2025-11-25, `ReadResourceResult`). */
export interface ReadResult {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: string;
    readonly text?: string;
    readonly blob?: string;
    readonly _meta?: object;
  }[];
}
