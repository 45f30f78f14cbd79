import type { ResolvedResume } from '../../../../options/resume-options.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { createHash } from 'node:crypto';

interface Kept extends McpStreamEvent {
  readonly at: number;
  readonly bytes: number;
}

/**
 * The latest events of a session, in memory. The number, the bytes and the age of the events are
 * limited. If a limit is exceeded, the oldest events are removed.
 */
export class EventLog {
  private kept: Kept[] = [];
  private bytes = 0;

  constructor(private readonly limits: ResolvedResume) {}

  append(event: McpStreamEvent): void {
    const bytes = Buffer.byteLength(event.json);
    this.kept.push({ ...event, at: performance.now(), bytes });
    this.bytes += bytes;
    this.trim();
  }

  /** Returns the events of a stream that come after a position. */
  after(stream: string, seq: number): readonly McpStreamEvent[] {
    this.trim();
    return this.kept.filter((each) => each.stream === stream && each.seq > seq);
  }

  /**
   * Returns the position of a stream's latest event. Returns undefined if no event of the stream is
   * stored.
   */
  latest(stream: string): number | undefined {
    this.trim();
    return this.kept.findLast((each) => each.stream === stream)?.seq;
  }

  private trim(): void {
    const { maxEvents, maxBytes, keepMs } = this.limits;
    const oldest = performance.now() - keepMs;
    let gone = 0;
    for (const { bytes, at } of this.kept) {
      const isOver = this.kept.length - gone > maxEvents || this.bytes > maxBytes;
      if (!isOver && at >= oldest) break;
      this.bytes -= bytes;
      gone += 1;
    }
    if (gone > 0) this.kept = this.kept.slice(gone);
  }
}

/** The position of an event in its stream. */
export interface EventPosition {
  readonly stream: string;
  /**
   * Position in the stream. The first event has position 1. Position 0 is before the first event.
   */
  readonly seq: number;
}

/** Returns the id of an event. A client sends this id back as `Last-Event-ID`. */
export function eventIdOf({ stream, seq }: EventPosition): string {
  return `${stream}.${seq}`;
}

/** Returns the position in an event id. Returns undefined if the id is invalid. */
export function positionOf(id: string): EventPosition | undefined {
  const [, stream, seq] = /^([\w-]{8,32})\.(\d{1,12})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, seq: Number(seq) };
}

/**
 * Returns the id of a session's main stream. Each session has a different id, and the main stream
 * does not belong to a request.
 */
export function mainStreamOf(sessionId: string): string {
  return createHash('sha1').update(sessionId).digest('hex').slice(0, 16);
}
