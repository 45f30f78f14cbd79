/** Takes the messages of a reply whose connection may be lost before the answer. */
export interface Outbox {
  /** True after the answer. */
  readonly isOver: boolean;
  push(json: string): void;
  answer(json: string): void;
  /** Ends without an answer. */
  end(): void;
  /** Closes the connection. The client connects again. */
  detach(): void;
  /** Calls back once, after the answer. */
  onceOver(callback: () => void): void;
}

/** What an outbox writes to. */
export interface Connection {
  readonly isOpen: boolean;
  /**
   * Sends an event with an id.
   * @param json empty: the event only gives the client its id
   * @param retryMs milliseconds after which the client connects again
   */
  writeEvent(id: string, json: string, retryMs?: number): void;
  /** Closes the connection, without an answer. */
  hangUp(): void;
  /** Sends a comment, so that proxies do not close the silent connection. */
  keepAlive(): void;
}
