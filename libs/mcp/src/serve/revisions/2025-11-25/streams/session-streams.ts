import type { Reply } from '../../../protocol/reply.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import { type SharedEvents, SessionEvents } from './session-events.js';
import { StandaloneStream } from './standalone-stream.js';

/** Clients of earlier revisions do not read events without data. */
export const RESUMABLE_SINCE = '2025-11-25';

/** What the streams of a session report to the store that it shares with other processes. */
export interface SharedStreams {
  /** The stream that belongs to no request is closed. */
  unlistened(): void;
  readonly events: SharedEvents;
}

/** The stream of a session that belongs to no request, and the events of streams that its client can resume. */
export class SessionStreams {
  /** Undefined if the client cannot resume streams. */
  readonly events: SessionEvents | undefined;
  private readonly standalone: StandaloneStream;

  /**
   * @param resume undefined: the client cannot resume streams
   * @param shared undefined: the session lives in this process only
   */
  constructor(
    sessionId: string,
    resume: ResolvedResume | undefined,
    private readonly shared: SharedStreams | undefined,
  ) {
    this.events = resume && new SessionEvents(sessionId, resume, shared?.events);
    this.standalone = new StandaloneStream(sessionId, shared && (() => shared.unlistened()));
  }

  /** True while a stream of `listen()`, or one that was resumed, is open in this process. */
  get isOpen(): boolean {
    return this.standalone.isOpen || (this.events?.isOpen ?? false);
  }

  /** When the client last closed the stream of `listen()`, by `performance.now()`. */
  get closedAt(): number {
    return this.standalone.closedAt;
  }

  /** True while the stream of `listen()` is open in this process. */
  get isListening(): boolean {
    return this.standalone.isOpen;
  }

  /** Opens the stream for messages that belong to no request. Closes the connection that has it. */
  listen(reply: Reply): void {
    this.standalone.open(reply);
  }

  /**
   * A connection of another process has a stream.
   * @param which the connection that loses it: that of the request, or the one that resumed it before
   */
  moved(stream: string, which: 'request' | 'resumed'): void {
    if (this.events) this.events.moved(stream, which);
    else this.standalone.end();
  }

  /** The stream of `listen()` was taken, but its client has left. */
  unlisten(): void {
    this.shared?.unlistened();
  }

  /**
   * Sends a message on the stream of `listen()`. A client without one misses it.
   * @param seq its position, if another process gave it one
   */
  push(json: string, seq?: number): void {
    const { events } = this;
    if (!events) this.standalone.push(json);
    else if (seq === undefined) events.pushMain(json);
    else events.receive({ stream: events.main, seq, json, last: false });
  }

  /** Sends a keep-alive comment on each of them. */
  keepAlive(): void {
    this.standalone.keepAlive();
    this.events?.keepAlive();
  }

  end(): void {
    this.standalone.end();
    this.events?.end();
  }
}
