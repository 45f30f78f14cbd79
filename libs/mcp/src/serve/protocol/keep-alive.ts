/** Milliseconds between keep-alive comments on open streams. */
export const KEEP_ALIVE_MS = 15_000;

/** A stream that can send a keep-alive comment. */
interface Living {
  keepAlive(): void;
}

/**
 * Sends keep-alive comments on streams that wait for a response. A stream gets its first comment
 * after at least one period, because until then the response may still be plain JSON.
 */
export class KeepAlive {
  private young = new Set<Living>();
  private old = new Set<Living>();
  private readonly timer = setInterval(() => this.beat(), KEEP_ALIVE_MS).unref();

  add(stream: Living): void {
    this.young.add(stream);
  }

  delete(stream: Living): void {
    if (!this.young.delete(stream)) this.old.delete(stream);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    for (const stream of this.old) stream.keepAlive();
    for (const stream of this.young) this.old.add(stream);
    this.young.clear();
  }
}
