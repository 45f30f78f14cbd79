import { EventStream, eventText, type PanelCall } from '@fledge/core/packages';
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CALL_EVENTS, type CallsDropped } from '../panel.api.js';
import type { CallRing } from './call-ring.js';

/** Maximum bytes that are buffered for a slow reader. */
const MOST_BUFFERED = 262_144;
const RETRY_MS = 3_000;
/** Milliseconds during which calls are collected. Then they are sent together. */
const DELAY_MS = 50;
const KEEP_ALIVE_MS = 15_000;
/** Milliseconds between two permission checks of a reader. */
const ASK_AGAIN_MS = 1_000;
/** Maximum number of open streams. Each browser tab with a panel opens one. */
const MOST_STREAMS = 32;

/** Sends finished calls to all open event streams. */
export class CallStreams {
  private readonly open = new Set<CallStream>();
  private ended = false;

  constructor(private readonly ring: CallRing) {}

  get size(): number {
    return this.open.size;
  }

  /**
   * Opens a stream. If too many streams are open, the oldest stream ends.
   * @param isAllowed returns whether the reader may still receive calls. Called again while the
   * stream is open
   */
  start(
    request: IncomingMessage,
    response: ServerResponse,
    isAllowed: () => Promise<boolean>,
  ): void {
    for (const oldest of this.open) {
      if (this.open.size < MOST_STREAMS) break;
      oldest.end();
    }
    const stream = new CallStream(response, this.ring, {
      // Calls are sent in the async context of other requests. So the permission check is bound to
      // the context of the request that opened the stream.
      isAllowed: AsyncResource.bind(isAllowed),
      closed: () => this.open.delete(stream),
    });
    this.open.add(stream);
    stream.start(lastIdOf(request));
    // If the application is closing, the stream ends immediately. The browser connects again after
    // the restart.
    if (this.ended) stream.end();
  }

  /** Ends all streams. A server with open streams does not close. */
  end(): void {
    this.ended = true;
    for (const stream of this.open) stream.end();
  }
}

interface Reader {
  readonly isAllowed: () => Promise<boolean>;
  readonly closed: () => void;
}

/**
 * One event stream (WHATWG HTML, server-sent events). Calls are sent in batches, because a separate
 * write for each call takes too long. If calls are no longer kept, only their number is sent.
 */
class CallStream {
  /** Id of the last call that was sent to the reader. */
  private last: number;
  private timer: NodeJS.Timeout | undefined;
  /**
   * Time of the last successful permission check. The first check was made before the stream began.
   */
  private allowedAt = performance.now();
  private isAsking = false;
  private readonly stop: () => void;
  private readonly events: EventStream;

  constructor(
    private readonly response: ServerResponse,
    private readonly ring: CallRing,
    private readonly reader: Reader,
  ) {
    this.last = ring.total;
    this.stop = ring.listen(() => {
      this.timer ??= setTimeout(() => this.send(), DELAY_MS).unref();
    });
    // The connection is not kept alive, because an open connection delays the closing of the
    // server.
    response.shouldKeepAlive = false;
    this.events = new EventStream(response, { heartbeatMs: KEEP_ALIVE_MS, retryMs: RETRY_MS });
    response.on('drain', () => this.send());
    response.once('close', () => {
      this.release();
      reader.closed();
    });
    // If the reader disconnects during a write, this event is emitted.
    response.on('error', () => this.release());
  }

  /**
   * @param after id of the last call that the reader has received. If undefined, only new calls are
   * sent
   */
  start(after: number | undefined): void {
    const { ring } = this;
    if (after === undefined) return;
    // An id from before the restart is higher than any current id.
    this.last = after > ring.total ? 0 : after;
    this.send();
  }

  end(): void {
    this.release();
    this.events.end();
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { response, ring } = this;
    // If the reader is too slow, the event `drain` sends the rest later.
    if (response.writableLength > MOST_BUFFERED || ring.total === this.last) return;
    if (performance.now() - this.allowedAt < ASK_AGAIN_MS) this.write();
    else if (!this.isAsking) void this.askAndWrite();
  }

  /**
   * Checks the permission again. A stream stays open for hours, and the reader may lose the
   * permission.
   */
  private async askAndWrite(): Promise<void> {
    this.isAsking = true;
    const isAllowed = await this.reader.isAllowed();
    this.isAsking = false;
    if (!this.events.isOpen) return;
    if (!isAllowed) return this.end();
    this.allowedAt = performance.now();
    this.send();
  }

  private write(): void {
    const { ring } = this;
    const calls = ring.after(this.last);
    const dropped = ring.total - this.last - calls.length;
    let text = dropped > 0 ? droppedEvent(dropped) : '';
    this.last += Math.max(0, dropped);
    for (const call of calls) {
      // The event `drain` sends the rest.
      if (text.length > MOST_BUFFERED) break;
      text += callEvent(call);
      this.last = call.id;
    }
    this.events.write(text);
  }

  private release(): void {
    this.stop();
    clearTimeout(this.timer);
  }
}

function callEvent(call: PanelCall): string {
  return eventText(CALL_EVENTS.call, JSON.stringify(call), call.id);
}

function droppedEvent(count: number): string {
  const dropped: CallsDropped = { count };
  return eventText(CALL_EVENTS.dropped, JSON.stringify(dropped));
}

function lastIdOf({ headers, url = '' }: IncomingMessage): number | undefined {
  const text =
    headers['last-event-id'] ?? new URLSearchParams(url.replace(/^[^?]*/, '')).get('after');
  const id = Number(text);
  return text === null || text === '' || !Number.isSafeInteger(id) || id < 0 ? undefined : id;
}
