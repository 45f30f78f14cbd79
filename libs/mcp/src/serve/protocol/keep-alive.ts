export const KEEP_ALIVE_MS = 15_000;

interface Living {
  keepAlive(): void;
}

/**
 * Sends keep-alive comments on streams that wait for a response. The first comment comes after at
 * least one period. Before that, the response may still become plain JSON, and a comment would
 * start a stream.
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
