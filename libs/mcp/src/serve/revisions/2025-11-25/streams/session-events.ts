import type { Reply } from '../../../protocol/reply.js';
import { ErrorCode, errorJson, type RequestId } from '../../../protocol/json-rpc.js';
import { type Refusal, UNKNOWN_EVENT } from '../../../protocol/refusals.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { eventIdOf, EventLog, type EventPosition, mainStreamOf } from './event-log.js';
import { ResumableStream } from './resumable-stream.js';
import { ResumedStream } from './resumed-stream.js';

/** Stores the events of a session that several processes share. */
export interface SharedEvents {
  /** Also sends the event to another process, if that process resumed the event's stream. */
  append(event: McpStreamEvent): void;
  /** Passes later events to `receive()`. Returns undefined if stream or event do not exist. */
  resume(position: EventPosition): Promise<Missed>;
}

/** The events after a position, or the refusal. Undefined if the stream does not exist. */
type Missed = readonly McpStreamEvent[] | Refusal | undefined;

/** Ends a connection if the client already has every event of an ended stream. */
function endAfter({ stream, seq }: EventPosition): McpStreamEvent {
  return { stream, seq: seq + 1, json: '', last: true };
}

interface Takeover {
  readonly resumed: ResumedStream;
  readonly previous: ResumedStream | undefined;
}

/** The state of the main stream when a client opens it. */
export interface Listening {
  /** Position of the main stream's latest event. */
  readonly seq: number;
  readonly missed: readonly McpStreamEvent[];
}

/** The events of a session whose streams can be resumed. */
export class SessionEvents {
  /** The main stream does not belong to a request. */
  readonly main: string;
  private readonly log: EventLog;
  /** Streams of requests that run in this process. */
  private readonly running = new Map<string, ResumableStream>();
  /** Connections of resumed streams and of the main stream, in this process. */
  private readonly resumed = new Map<string, ResumedStream>();
  private mainSeq = 0;

  /** @param shared undefined if the session is not shared */
  constructor(
    sessionId: string,
    private readonly limits: ResolvedResume,
    private readonly shared: SharedEvents | undefined,
  ) {
    this.main = mainStreamOf(sessionId);
    this.log = new EventLog(limits);
  }

  /** True while the main stream or a resumed stream has a connection in this process. */
  get isOpen(): boolean {
    return this.resumed.size > 0;
  }

  /** Makes the event stream of a request resumable. */
  begin(stream: string, request: RequestId, reply: Reply): void {
    const keep = (event: McpStreamEvent) => this.append(this.fitting(event, request));
    const outbox = new ResumableStream(stream, reply, keep);
    this.running.set(stream, outbox);
    outbox.onceOver(() => this.running.delete(stream));
    reply.through(outbox);
    outbox.begin(this.limits.retryMs);
  }

  /** Returns a refusal if the stream cannot continue on this connection. */
  async resume(position: EventPosition, reply: Reply): Promise<Refusal | undefined> {
    const { stream } = position;
    const takeover = this.takeOver(stream, reply, position.seq);
    const missed = (await this.missed(position)) ?? UNKNOWN_EVENT;
    if ('status' in missed) {
      this.giveBack(stream, takeover);
      return missed;
    }
    takeover.previous?.hangUp();
    reply.listen();
    takeover.resumed.catchUp(missed);
    return undefined;
  }

  /**
   * Opens or continues the main stream.
   * @param seq position of the last event that the client received. Undefined if the client sent no
   * `Last-Event-ID`
   */
  async listen(
    reply: Reply,
    seq: number | undefined,
    where: () => Promise<Listening | Refusal>,
  ): Promise<Refusal | undefined> {
    const takeover = this.takeOver(this.main, reply, seq ?? 0);
    const listening = await where();
    if ('status' in listening) {
      this.giveBack(this.main, takeover);
      return listening;
    }
    takeover.previous?.hangUp();
    const from = { stream: this.main, seq: seq ?? listening.seq };
    reply.writeEvent(eventIdOf(from), '', this.limits.retryMs);
    takeover.resumed.catchUp(listening.missed, from.seq);
    return undefined;
  }

  /** Only for sessions that are not shared. */
  mainAfter(seq: number | undefined): Listening {
    const missed = seq === undefined ? [] : this.log.after(this.main, seq);
    return { seq: this.mainSeq, missed };
  }

  /** Only for sessions that are not shared. */
  pushMain(json: string): void {
    this.append({ stream: this.main, seq: ++this.mainSeq, json, last: false });
  }

  /** Handles a new event of a stream. The connection of the stream is in this process. */
  receive(event: McpStreamEvent): void {
    this.resumed.get(event.stream)?.receive(event);
  }

  /** See `SessionStreams.moved()`. */
  moved(stream: string, which: 'request' | 'resumed'): void {
    if (which === 'request') this.running.get(stream)?.detach();
    else this.resumed.get(stream)?.hangUp();
  }

  keepAlive(): void {
    for (const resumed of this.resumed.values()) resumed.keepAlive();
  }

  /** If the session still exists, clients reconnect. */
  end(): void {
    for (const resumed of this.resumed.values()) resumed.hangUp();
  }

  private async missed(position: EventPosition): Promise<Missed> {
    if (this.shared) return this.shared.resume(position);
    const { stream, seq } = position;
    const running = this.running.get(stream);
    const latest = running?.latest ?? this.log.latest(stream);
    // The client's event does not exist yet. Continuing after this event would skip the events
    // before it.
    if (latest === undefined || seq > latest) return undefined;
    running?.detach();
    const events = this.log.after(stream, seq);
    return running || events.length > 0 ? events : [endAfter(position)];
  }

  private append(event: McpStreamEvent): void {
    if (this.shared) {
      this.shared.append(event);
      return;
    }
    this.log.append(event);
    this.receive(event);
  }

  /** A response that is too large is replaced with an error. Other large events lose their data. */
  private fitting(event: McpStreamEvent, request: RequestId): McpStreamEvent {
    const { maxBytes } = this.limits;
    if (Buffer.byteLength(event.json) <= maxBytes) return event;
    const fault = `The response exceeds sessions.resume.maxBytes (${maxBytes}), so it was not stored`;
    return { ...event, json: event.last ? errorJson(request, ErrorCode.Refused, fault) : '' };
  }

  /** Sends new events to this connection from now on. It may still be rejected later. */
  private takeOver(stream: string, reply: Reply, seq: number): Takeover {
    const previous = this.resumed.get(stream);
    const resumed = new ResumedStream(reply, seq);
    this.resumed.set(stream, resumed);
    reply.onceClosed(() => this.forget(stream, resumed));
    return { resumed, previous };
  }

  private giveBack(stream: string, { resumed, previous }: Takeover): void {
    if (this.resumed.get(stream) !== resumed) return;
    this.resumed.delete(stream);
    if (!previous?.isOpen) return;
    this.resumed.set(stream, previous);
    resumed.handTo(previous);
  }

  private forget(stream: string, resumed: ResumedStream): void {
    if (this.resumed.get(stream) === resumed) this.resumed.delete(stream);
  }
}
