import type { Reply } from '../../../protocol/reply.js';

/** The stream that a GET opens, for messages that belong to no request. A session has at most one. */
export class StandaloneStream {
  private reply: Reply | undefined;
  /** When the client last closed one, by `performance.now()`. */
  closedAt = Number.NEGATIVE_INFINITY;

  /** @param onClosed called when the stream is closed */
  constructor(
    private readonly sessionId: string,
    private readonly onClosed?: () => void,
  ) {}

  get isOpen(): boolean {
    return this.reply !== undefined;
  }

  /** Opens the stream, and ends the one before. */
  open(reply: Reply): void {
    this.reply?.end();
    reply.inSession(this.sessionId);
    this.reply = reply;
    reply.onceClosed(() => {
      this.closedAt = performance.now();
      // Another connection may have it by now.
      if (this.reply !== reply) return;
      this.reply = undefined;
      this.onClosed?.();
    });
    reply.listen();
  }

  /** A client without an open stream misses the message. */
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
