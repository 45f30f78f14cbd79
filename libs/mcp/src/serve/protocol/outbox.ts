/** Receives the messages of a reply whose connection may be lost before the response is sent. */
export interface Outbox {
  /** True after the response was written. */
  readonly isOver: boolean;
  push(json: string): void;
  answer(json: string): void;
  /** Ends the reply without a response. */
  end(): void;
  /** Closes the connection. The client reconnects. */
  detach(): void;
  /** Calls `callback` once, after the response was written. */
  onceOver(callback: () => void): void;
}

/** The connection that an outbox writes to. */
export interface Connection {
  readonly isOpen: boolean;
  /**
   * Sends an event with an id.
   * @param json empty: the event only tells the client its id
   * @param retryMs milliseconds after which the client reconnects
   */
  writeEvent(id: string, json: string, retryMs?: number): void;
  /** Closes the connection without a response. */
  hangUp(): void;
  /** Sends a comment, so proxies do not close the idle connection. */
  keepAlive(): void;
}
