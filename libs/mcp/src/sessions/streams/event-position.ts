import { createHash } from 'node:crypto';

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
