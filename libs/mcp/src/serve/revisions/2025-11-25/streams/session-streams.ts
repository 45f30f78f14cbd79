import type { Reply } from '../../../protocol/reply.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import { type SharedEvents, SessionEvents } from './session-events.js';
import { StandaloneStream } from './standalone-stream.js';

/** First protocol version with resumable streams. Older clients cannot read events without data. */
export const RESUMABLE_SINCE = '2025-11-25';

/** Functions with which the streams of a session send their changes to the store. */
export interface SharedStreams {
  /** Tells the store that the main stream was closed. */
  unlistened(): void;
  readonly events: SharedEvents;
}

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

  /** True while the main stream or a resumed stream is open in this process. */
  get isOpen(): boolean {
    return this.standalone.isOpen || (this.events?.isOpen ?? false);
  }

  /** Time at which the client last closed the main stream, by `performance.now()`. */
  get closedAt(): number {
    return this.standalone.closedAt;
  }

  /** True while the main stream is open in this process. */
  get isListening(): boolean {
    return this.standalone.isOpen;
  }

  /** Its previous connection is closed. */
  listen(reply: Reply): void {
    this.standalone.open(reply);
  }

  /**
   * Called when another process took over a stream. Closes the old connection.
   * @param which the old connection. `request`: the original connection of the request. `resumed`:
   * a connection that had resumed the stream
   */
  moved(stream: string, which: 'request' | 'resumed'): void {
    if (this.events) this.events.moved(stream, which);
    else this.standalone.end();
  }

  /** Called if the client disconnected before the main stream was opened. */
  unlisten(): void {
    this.shared?.unlistened();
  }

  /**
   * If the client has not opened the main stream, the client misses the message.
   * @param seq set if another process chose the position
   */
  push(json: string, seq?: number): void {
    const { events } = this;
    if (!events) this.standalone.push(json);
    else if (seq === undefined) events.pushMain(json);
    else events.receive({ stream: events.main, seq, json, last: false });
  }

  keepAlive(): void {
    this.standalone.keepAlive();
    this.events?.keepAlive();
  }

  end(): void {
    this.standalone.end();
    this.events?.end();
  }
}
