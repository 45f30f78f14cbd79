import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isBehind, isGone, isHttp2 } from './http2.js';

/** A body in parts: what is stored as bytes goes out as it is, neither encoded again nor copied. */
export type BodyParts = readonly (string | Buffer)[];

export function byteLengthOf(parts: BodyParts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** Ends a response, in one write where its body is one part. */
export function endWith(response: ServerResponse, parts: BodyParts): void {
  if (parts.length === 1) {
    response.end(parts[0]);
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}

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
    return !this.response.writableEnded && !isGone(this.response);
  }

  get isBehind(): boolean {
    return isBehind(this.response);
  }

  /** Sends the head, so that the client knows the stream stands. */
  open(): void {
    if (this.response.headersSent) return;
    // A stream has its connection to itself: kept alive, it would hold up a server that closes. HTTP/2
    // has no such header: there the name of another one stands twice.
    if (isHttp2(this.response.req)) this.writeHead('x-accel-buffering', 'no');
    else this.writeHead('connection', 'close');
    this.response.flushHeaders();
  }

  /** @param json a message without line breaks */
  send(json: string): void {
    if (!this.isOpen) return;
    this.open();
    this.response.write(eventOf(json));
  }

  /** Sends a last message, where there is one, and ends the stream. */
  end(...json: BodyParts): void {
    if (!this.isOpen) return;
    if (json.length === 0) {
      this.open();
      this.response.end();
      return;
    }
    const event = json.length === 1 ? [eventOf(String(json[0]))] : [BEFORE, ...json, BEHIND];
    if (!this.response.headersSent) this.writeHead('content-length', byteLengthOf(event));
    endWith(this.response, event);
  }

  /** A comment, so that nothing between here and the client takes the silence for an end. */
  keepAlive(): void {
    if (!this.isOpen) return;
    this.open();
    this.response.write(': keepalive\n\n');
  }

  // Literals: V8 gives every object made by spreading and adding a hidden class of its own, and headers
  // set before would all be set one by one.
  private writeHead(name: OwnHeader, value: string | number): void {
    const { response, sessionId } = this;
    if (sessionId === undefined) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        [name]: value,
      });
    } else {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'mcp-session-id': sessionId,
        [name]: value,
      });
    }
  }
}

type OwnHeader = 'connection' | 'content-length' | 'x-accel-buffering';

const BEFORE = 'event: message\ndata: ';

const BEHIND = '\n\n';

function eventOf(json: string): string {
  return `${BEFORE}${json}${BEHIND}`;
}

/**
 * Calls back once, when a response is done with or its caller is gone. A response that waits behind
 * another on its connection (pipelining) has no `close` of its own when the connection ends, so the
 * socket is asked as well. HTTP/2 has no such waiting, and a response of it always closes.
 */
export function onceClosed(response: ServerResponse, callback: () => void): void {
  if (isHttp2(response.req)) {
    response.once('close', callback);
    return;
  }
  const waiting = waitingOn(response.req.socket);
  const closed = () => {
    waiting.delete(closed);
    response.off('close', closed);
    callback();
  };
  waiting.add(closed);
  response.on('close', closed);
}

const WAITING = Symbol('fledge:waiting');

type WatchedSocket = Socket & { [WAITING]?: Set<() => void> };

/** Who waits for a socket to close: behind one listener, since Node warns of more than ten. */
function waitingOn(socket: WatchedSocket): Set<() => void> {
  return (socket[WAITING] ??= watched(socket));
}

function watched(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  socket.once('close', () => {
    for (const closed of waiting) closed();
  });
  return waiting;
}
