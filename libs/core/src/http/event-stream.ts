import { atLeast, type OptionTable, readOptions } from '@fledge-internal/options';
import type { ServerResponse } from 'node:http';
import { placeOf } from '../checks/option-place.js';
import { LONGEST_TIMER_MS } from './timers.js';

/**
 * Headers of an event stream (WHATWG HTML, server-sent events). The last two headers prevent
 * buffering in proxies and in compressing middleware.
 */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Browsers and clients ignore it. */
const COMMENT = ':\n\n';

/**
 * Characters that some clients treat as line breaks, although the specification allows only CR and
 * LF. Such a character inside an event would end the JSON.
 */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/**
 * Returns JSON that is safe in an event: characters that some clients treat as line breaks are
 * escaped.
 */
export function eventJson(json: string): string {
  return json.replace(LINE_ENDS, escaped);
}

/** Formats a named event. Its data is JSON on a single line. */
export function eventText(name: string, json: string, id?: number | string): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${name}\n${idLine}data: ${eventJson(json)}\n\n`;
}

export interface EventStreamOptions {
  /** Milliseconds between two comments. Without comments, proxies close an idle stream. */
  readonly heartbeatMs: number;
  /** Milliseconds after which a browser reconnects. @default decided by the browser */
  readonly retryMs?: number;
}

const OPTIONS = {
  heartbeatMs: atLeast(1, LONGEST_TIMER_MS).required,
  retryMs: atLeast(0).optional,
} satisfies OptionTable<EventStreamOptions>;

/** An event stream as the response to a request. Sends its head immediately. */
export class EventStream {
  private readonly heartbeat: NodeJS.Timeout;

  /** @throws CoreOptionError */
  constructor(
    private readonly response: ServerResponse,
    options: EventStreamOptions,
  ) {
    const { heartbeatMs, retryMs } = readOptions(options, OPTIONS, placeOf('new EventStream'));
    response.writeHead(200, EVENT_STREAM_HEADERS);
    response.write(retryMs === undefined ? COMMENT : `retry: ${retryMs}\n\n`);
    this.heartbeat = setInterval(() => this.beat(), heartbeatMs).unref();
    const stop = () => clearInterval(this.heartbeat);
    // A client may disconnect while something is written.
    response.once('close', stop).on('error', stop);
  }

  /** False if the stream has ended or the client has disconnected. */
  get isOpen(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /**
   * Writes events, unless the stream is closed. Returns false if the client has not read the
   * previous data yet.
   */
  write(events: string): boolean {
    return !this.isOpen || this.response.write(events);
  }

  /** Resolves when the client has read all written data or has disconnected. */
  drained(): Promise<void> {
    const { response } = this;
    return new Promise((resolve) => {
      const settle = () => {
        response.off('drain', settle).off('close', settle);
        resolve();
      };
      response.on('drain', settle).on('close', settle);
    });
  }

  /** @param last events to send before the end */
  end(last = ''): void {
    clearInterval(this.heartbeat);
    if (this.isOpen) this.response.end(last);
  }

  private beat(): void {
    if (!this.response.writableNeedDrain) this.write(COMMENT);
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
