/** Used if the connection may be lost before the response is sent. */
export interface Outbox {
  /** True if the response was written. */
  readonly isOver: boolean;
  push(json: string): void;
  answer(json: string): void;
  /** Ends the reply without a response. */
  end(): void;
  /** Closes the connection. The client then reconnects. */
  detach(): void;
  /** Calls `callback` once, when the response was written. */
  onceOver(callback: () => void): void;
}

export interface Connection {
  readonly isOpen: boolean;
  /** True if the client reads more slowly than data is written. */
  readonly isBehind: boolean;
  /**
   * @param json if empty, the event has no data and only gives the client the event id
   * @param retryMs milliseconds after which the client reconnects
   */
  writeEvent(id: string, json: string, retryMs?: number): void;
  /** Closes the connection without a response. */
  hangUp(): void;
  /** Sends a comment, which prevents proxies from closing an idle connection. */
  keepAlive(): void;
}
