import type { ResolvedResume } from '../../../../options/resume-options.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { createHash } from 'node:crypto';

interface Kept extends McpStreamEvent {
  readonly at: number;
  readonly bytes: number;
}

/** The latest events of a session, in memory. The oldest go first, by count, by bytes, or by age. */
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

  /** The events of a stream after a position. */
  after(stream: string, seq: number): readonly McpStreamEvent[] {
    this.trim();
    return this.kept.filter((each) => each.stream === stream && each.seq > seq);
  }

  /** Position of the latest event of a stream. Undefined if none is kept. */
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

/** Where an event stands in its stream. */
export interface EventPosition {
  readonly stream: string;
  /** From 1; 0 stands before the first event. */
  readonly seq: number;
}

/** The id of an event. A client sends it back as `Last-Event-ID`. */
export function eventIdOf({ stream, seq }: EventPosition): string {
  return `${stream}.${seq}`;
}

/** Undefined for a text that is no id of an event. */
export function positionOf(id: string): EventPosition | undefined {
  const [, stream, seq] = /^([\w-]{8,32})\.(\d{1,12})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, seq: Number(seq) };
}

/** The stream of a session that belongs to no request. Other sessions have another. */
export function mainStreamOf(sessionId: string): string {
  return createHash('sha1').update(sessionId).digest('hex').slice(0, 16);
}
