/** Milliseconds between signs of life on open streams; the SDK's own value. */
export const KEEP_ALIVE_MS = 15_000;

/** A stream that can send a sign of life. */
interface Living {
  keepAlive(): void;
}

/**
 * Gives signs of life on streams whose answer takes long. The first comes after one period at the
 * least: until then an answer may still be plain JSON.
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
