import type { Reply } from '../../../protocol/reply.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import { type SharedEvents, SessionEvents } from './session-events.js';
import { StandaloneStream } from './standalone-stream.js';

/**
 * First version with resumable streams. Clients of earlier versions do not read events without
 * data.
 */
export const RESUMABLE_SINCE = '2025-11-25';

/**
 * Functions by which the streams of a session report to the store that they share with other
 * processes.
 */
export interface SharedStreams {
  /** Reports that the main stream was closed. */
  unlistened(): void;
  readonly events: SharedEvents;
}

/** The main stream of a session, and the events of streams that its client can resume. */
export class SessionStreams {
  /** Undefined if the client cannot resume streams. */
  readonly events: SessionEvents | undefined;
  private readonly standalone: StandaloneStream;

  /**
   * @param resume undefined if the client cannot resume streams
   * @param shared undefined if the session is not shared
   */
  constructor(
    sessionId: string,
    resume: ResolvedResume | undefined,
    private readonly shared: SharedStreams | undefined,
  ) {
    this.events = resume && new SessionEvents(sessionId, resume, shared?.events);
    this.standalone = new StandaloneStream(sessionId, shared && (() => shared.unlistened()));
  }

  /** True while a stream of `listen()` or a resumed stream is open in this process. */
  get isOpen(): boolean {
    return this.standalone.isOpen || (this.events?.isOpen ?? false);
  }

  /** Time when the client last closed the stream of `listen()`, by `performance.now()`. */
  get closedAt(): number {
    return this.standalone.closedAt;
  }

  /** True while the stream of `listen()` is open in this process. */
  get isListening(): boolean {
    return this.standalone.isOpen;
  }

  /** Opens the main stream. Closes the previous connection of the stream. */
  listen(reply: Reply): void {
    this.standalone.open(reply);
  }

  /**
   * Handles that another process took over a stream.
   * @param which the connection that loses the stream: the connection of the request, or the
   * connection that resumed the stream before
   */
  moved(stream: string, which: 'request' | 'resumed'): void {
    if (this.events) this.events.moved(stream, which);
    else this.standalone.end();
  }

  /**
   * Releases the stream of `listen()`, because the client disconnected before the stream started.
   */
  unlisten(): void {
    this.shared?.unlistened();
  }

  /**
   * Sends a message on the stream of `listen()`. A client without this stream misses the message.
   * @param seq position of the message, if another process assigned it
   */
  push(json: string, seq?: number): void {
    const { events } = this;
    if (!events) this.standalone.push(json);
    else if (seq === undefined) events.pushMain(json);
    else events.receive({ stream: events.main, seq, json, last: false });
  }

  /** Sends a keep-alive comment on each open stream. */
  keepAlive(): void {
    this.standalone.keepAlive();
    this.events?.keepAlive();
  }

  end(): void {
    this.standalone.end();
    this.events?.end();
  }
}
