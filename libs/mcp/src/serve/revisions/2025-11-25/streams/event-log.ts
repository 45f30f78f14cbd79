import type { ResolvedResume } from '../../../../options/resume-options.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { createHash } from 'node:crypto';

interface Kept extends McpStreamEvent {
  readonly at: number;
  readonly bytes: number;
}

/** In memory. If the number, bytes or age of the events exceed a limit, the oldest are removed. */
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

  after(stream: string, seq: number): readonly McpStreamEvent[] {
    this.trim();
    return this.kept.filter((each) => each.stream === stream && each.seq > seq);
  }

  /** Returns undefined if no event of the stream is stored. */
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

export interface EventPosition {
  readonly stream: string;
  /** The first event has position 1. Position 0 is before the first event. */
  readonly seq: number;
}

/** A client sends this id back as `Last-Event-ID`. */
export function eventIdOf({ stream, seq }: EventPosition): string {
  return `${stream}.${seq}`;
}

/** Returns undefined if the id is invalid. */
export function positionOf(id: string): EventPosition | undefined {
  const [, stream, seq] = /^([\w-]{8,32})\.(\d{1,12})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, seq: Number(seq) };
}

/** Each session has a different id. The main stream does not belong to a request. */
export function mainStreamOf(sessionId: string): string {
  return createHash('sha1').update(sessionId).digest('hex').slice(0, 16);
}
