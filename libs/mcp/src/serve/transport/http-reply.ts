import type { IncomingMessage, ServerResponse } from 'node:http';
import { EVENT_STREAM_HEADERS, eventJson, eventText } from '@fledge/core/packages';
import type { Outbox } from '../protocol/outbox.js';
import { type BodyParts, byteLengthOf, Reply } from '../protocol/reply.js';
import { type Refusal, refusalJson } from '../protocol/refusals.js';
import { isBehind, isGone, isHttp2, onceClosed } from './http2.js';

/** The head is sent together with the first bytes of the body, so most responses need one write. */
export class HttpReply extends Reply {
  private sessionId: string | undefined = undefined;
  private outbox: Outbox | undefined = undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    super();
  }

  get isOpen(): boolean {
    return this.outbox ? !this.outbox.isOver : this.isConnected;
  }

  get isBehind(): boolean {
    return this.isConnected && isBehind(this.response);
  }

  inSession(id: string): void {
    this.sessionId = id;
  }

  push(json: string): void {
    if (!this.isOpen) return;
    if (this.outbox) {
      this.outbox.push(json);
      return;
    }
    this.listen();
    this.response.write(eventOf(json));
  }

  protected onceDrained(callback: () => void): void {
    this.response.once('drain', callback);
  }

  protected writeAnswer(json: BodyParts): void {
    if (!this.isOpen) return;
    if (this.outbox) this.outbox.answer(json.map(String).join(''));
    else if (this.sessionId === undefined && !this.hasBegun) this.answerJson(json);
    else this.answerEvent(json);
  }

  protected writeRefusal(refusal: Refusal): void {
    const { status, headers } = refusal;
    const body = refusalJson(refusal);
    if (this.hasBegun) {
      this.writeAnswer([body]);
      return;
    }
    // HTTP/2 does not allow the header `connection` (RFC 9113 §8.2.2). Node.js would log a warning.
    const { connection, ...others } = headers ?? {};
    this.response.writeHead(status, {
      ...others,
      ...(connection !== undefined && !isHttp2(this.request) && { connection }),
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
    });
    this.response.end(body);
  }

  accept(status: 200 | 202): void {
    this.response.writeHead(status, { 'content-length': 0 });
    this.response.end();
  }

  end(): void {
    if (this.outbox) this.outbox.end();
    else this.hangUp();
  }

  through(outbox: Outbox): void {
    this.outbox = outbox;
  }

  detach(): boolean {
    this.outbox?.detach();
    return this.outbox !== undefined;
  }

  writeEvent(id: string, json: string, retryMs?: number): void {
    if (!this.isConnected) return;
    this.listen();
    const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
    this.response.write(
      json === '' ? `id: ${id}\n${retry}data: \n\n` : eventText('message', json, id),
    );
  }

  hangUp(): void {
    if (!this.isConnected) return;
    this.listen();
    this.response.end();
  }

  /** Starts the event stream by sending its head. */
  listen(): void {
    if (this.hasBegun) return;
    // `connection: close` closes the connection after the stream: an open connection would delay
    // closing the server. HTTP/2 does not allow this header. For HTTP/2, a header is passed that
    // the head contains anyway.
    if (isHttp2(this.request)) this.writeEventHead('x-accel-buffering', 'no');
    else this.writeEventHead('connection', 'close');
    this.response.flushHeaders();
  }

  keepAlive(): void {
    if (!this.isConnected) return;
    this.listen();
    this.response.write(': keepalive\n\n');
  }

  onceClosed(callback: () => void): void {
    onceClosed(this.response, () => {
      if (this.outbox) this.outbox.onceOver(callback);
      else callback();
    });
  }

  private get isConnected(): boolean {
    return !this.response.writableEnded && !isGone(this.response);
  }

  /** True if the head was sent, so the response is an event stream. */
  private get hasBegun(): boolean {
    return this.response.headersSent;
  }

  private answerJson(json: BodyParts): void {
    this.response.writeHead(200, {
      'content-type': JSON_TYPE,
      'content-length': byteLengthOf(json),
    });
    endWith(this.response, json);
  }

  private answerEvent(json: BodyParts): void {
    const event = eventParts(json);
    if (!this.hasBegun) this.writeEventHead('content-length', byteLengthOf(event));
    endWith(this.response, event);
  }

  // The object literals are faster than spreading, because V8 creates a hidden class for each
  // spread object. `setHeader()` would also be slower, because Node.js would store each header
  // separately.
  private writeEventHead(name: OwnHeader, value: string | number): void {
    const { response, sessionId } = this;
    if (sessionId === undefined) {
      response.writeHead(200, {
        'content-type': EVENT_STREAM_HEADERS['content-type'],
        'cache-control': EVENT_STREAM_HEADERS['cache-control'],
        'x-accel-buffering': EVENT_STREAM_HEADERS['x-accel-buffering'],
        [name]: value,
      });
    } else {
      response.writeHead(200, {
        'content-type': EVENT_STREAM_HEADERS['content-type'],
        'cache-control': EVENT_STREAM_HEADERS['cache-control'],
        'x-accel-buffering': EVENT_STREAM_HEADERS['x-accel-buffering'],
        'mcp-session-id': sessionId,
        [name]: value,
      });
    }
  }
}

type OwnHeader = 'connection' | 'content-length' | 'x-accel-buffering';

/** A body with one part needs only one write. */
function endWith(response: ServerResponse, parts: BodyParts): void {
  if (parts.length === 1) {
    response.end(parts[0]);
    return;
  }
  response.cork();
  for (const part of parts) response.write(part);
  response.end();
}

// The charset is needed: without it, some programs read Latin-1 instead of UTF-8.

export const JSON_TYPE = 'application/json; charset=utf-8';

const BEFORE = 'event: message\ndata: ';
const BEHIND = '\n\n';

function eventOf(json: string): string {
  return eventText('message', json);
}

/** Buffers are stored lists. Line breaks in the JSON are already escaped. */
function eventParts(json: BodyParts): BodyParts {
  if (json.length === 1) return [eventOf(String(json[0]))];
  const parts = json.map((part) => (typeof part === 'string' ? eventJson(part) : part));
  return [BEFORE, ...parts, BEHIND];
}
