import type { Reply } from '../../../protocol/reply.js';

/** The main stream of a session, opened by a GET. Its messages do not belong to a request. */
export class StandaloneStream {
  private reply: Reply | undefined;
  /** Time at which the client last closed the stream, by `performance.now()`. */
  closedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly sessionId: string,
    private readonly onClosed?: () => void,
  ) {}

  get isOpen(): boolean {
    return this.reply !== undefined;
  }

  /** The previous connection is closed. */
  open(reply: Reply): void {
    this.reply?.end();
    reply.inSession(this.sessionId);
    this.reply = reply;
    reply.onceClosed(() => {
      this.closedAt = performance.now();
      // Another connection may have taken over the stream before.
      if (this.reply !== reply) return;
      this.reply = undefined;
      this.onClosed?.();
    });
    reply.listen();
  }

  /** If the stream is not open, the client misses the message. */
  push(json: string): void {
    this.reply?.pushOnce(json);
  }

  keepAlive(): void {
    this.reply?.keepAlive();
  }

  end(): void {
    this.reply?.end();
  }
}
