/** Names and values of headers. They are also sent as `connectionParams`. */
export type Headers = Readonly<Record<string, string>>;

/** An operation as GraphQL clients send it. */
export interface Operation {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The parts of an exchange that go on after its start. */
export interface Listener {
  /** A result: an event of a subscription. */
  next(result: unknown): void;
  /** The server ended the stream. */
  complete(): void;
  /** The stream failed. @param reason a text for people */
  fail(reason: string): void;
}

/** Returns a text for people: a browser's errors name no address. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return `The request failed: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
