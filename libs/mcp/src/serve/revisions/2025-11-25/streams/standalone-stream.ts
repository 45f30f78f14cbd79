import type { Reply } from '../../../protocol/reply.js';

/**
 * The stream that a GET opens, for messages that do not belong to a request. A session has at most
 * one.
 */
export class StandaloneStream {
  private reply: Reply | undefined;
  /** Time when the client last closed such a stream, by `performance.now()`. */
  closedAt = Number.NEGATIVE_INFINITY;

  /** @param onClosed called when the stream is closed */
  constructor(
    private readonly sessionId: string,
    private readonly onClosed?: () => void,
  ) {}

  get isOpen(): boolean {
    return this.reply !== undefined;
  }

  /** Opens the stream, and closes the previous one. */
  open(reply: Reply): void {
    this.reply?.end();
    reply.inSession(this.sessionId);
    this.reply = reply;
    reply.onceClosed(() => {
      this.closedAt = performance.now();
      // Another connection may have taken over the stream.
      if (this.reply !== reply) return;
      this.reply = undefined;
      this.onClosed?.();
    });
    reply.listen();
  }

  /** Sends a message. A client without an open stream misses it. */
  push(json: string): void {
    this.reply?.push(json);
  }

  keepAlive(): void {
    this.reply?.keepAlive();
  }

  end(): void {
    this.reply?.end();
  }
}
