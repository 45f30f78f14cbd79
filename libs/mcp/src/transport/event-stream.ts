import type { ServerResponse } from 'node:http';

/**
 * An answer as server-sent events. Its head goes out with the first event: an answer of one event
 * is one write.
 */
export class EventStream {
  constructor(
    private readonly response: ServerResponse,
    private readonly sessionId: string,
  ) {}

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  /** Sends the head, so that the client knows the stream stands. */
  open(): void {
    if (this.response.headersSent) return;
    // A stream has its connection to itself: kept alive, it would hold up a server that closes.
    this.writeHead('connection', 'close');
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
    this.writeHead('content-length', Buffer.byteLength(event));
    this.response.end(event);
  }

  /** A comment, so that nothing between here and the client takes the silence for an end. */
  keepAlive(): void {
    if (!this.isOpen) return;
    this.open();
    this.response.write(': keepalive\n\n');
  }

  // One literal: V8 gives every object made by spreading and adding a hidden class of its own.
  private writeHead(name: 'connection' | 'content-length', value: string | number): void {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'mcp-session-id': this.sessionId,
      [name]: value,
    });
  }
}

function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
