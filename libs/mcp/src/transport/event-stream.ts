import type { ServerResponse } from 'node:http';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * An answer as server-sent events. Its head goes out with the first event: an answer of one event
 * is one write.
 */
export class EventStream {
  constructor(
    private readonly response: ServerResponse,
    private readonly sessionId?: string,
  ) {}

  /** Whether an event went out already: what is to come must be one as well. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Sends the head, so that the client knows the stream stands. */
  open(): void {
    if (this.response.headersSent) return;
    // A stream has its connection to itself: kept alive, it would hold up a server that closes.
    this.response.writeHead(200, { ...this.headers(), connection: 'close' });
    this.response.flushHeaders();
  }

  /** @param json a message without line breaks */
  send(json: string): void {
    if (!this.isOpen) return;
    this.open();
    this.response.write(eventOf(json));
  }

  /** Sends a last message, where there is one, and ends the stream. */
  end(json?: string): void {
    if (!this.isOpen) return;
    if (this.response.headersSent || json === undefined) {
      this.open();
      this.response.end(json === undefined ? undefined : eventOf(json));
      return;
    }
    const event = eventOf(json);
    this.response.writeHead(200, {
      ...this.headers(),
      'content-length': Buffer.byteLength(event),
    });
    this.response.end(event);
  }

  /** A comment, so that nothing between here and the client takes the silence for an end. */
  keepAlive(): void {
    if (!this.isOpen) return;
    this.open();
    this.response.write(': keepalive\n\n');
  }

  private headers() {
    return this.sessionId === undefined
      ? HEADERS
      : { ...HEADERS, 'mcp-session-id': this.sessionId };
  }
}

function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
