/** Header names and values. For WebSockets they are sent as `connectionParams`. */
export type Headers = Readonly<Record<string, string>>;

/** An operation in the format that GraphQL clients send. */
export interface Operation {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

/** An HTTP response. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Receives the results of a subscription. */
export interface Listener {
  /** Called with each result, which is one event of the subscription. */
  next(result: unknown): void;
  /** Called when the server ended the stream. */
  complete(): void;
  /**
   * Called when the stream failed.
   * @param reason a message for users
   */
  fail(reason: string): void;
}

/** Returns a message for users. The browser's own messages do not contain the address. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return `The request failed: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
