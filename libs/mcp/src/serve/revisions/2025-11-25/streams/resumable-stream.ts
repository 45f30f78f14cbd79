import type { Connection, Outbox } from '../../../protocol/outbox.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { eventIdOf } from './event-log.js';

/**
 * Survives a lost connection: each event is sent to the original connection while it is open, and
 * is also stored, so the client can continue on another connection.
 */
export class ResumableStream implements Outbox {
  isOver = false;
  private seq = 0;
  private readonly callbacks: (() => void)[] = [];

  /** @param keep stores an event, and sends it to a connection that resumed the stream */
  constructor(
    readonly id: string,
    private connection: Connection | undefined,
    private readonly keep: (event: McpStreamEvent) => void,
  ) {}

  /** Position of the stream's latest event. */
  get latest(): number {
    return this.seq;
  }

  /** With this event id, the client can resume even if it disconnects before the first message. */
  begin(retryMs: number): void {
    this.connection?.writeEvent(eventIdOf({ stream: this.id, seq: 0 }), '', retryMs);
  }

  push(json: string): void {
    this.send(json, false);
  }

  answer(json: string): void {
    this.send(json, true);
    this.over();
  }

  end(): void {
    if (this.isOver) return;
    this.keep({ stream: this.id, seq: ++this.seq, json: '', last: true });
    this.over();
  }

  detach(): void {
    this.connection?.hangUp();
    this.connection = undefined;
  }

  onceOver(callback: () => void): void {
    if (this.isOver) callback();
    else this.callbacks.push(callback);
  }

  private send(json: string, last: boolean): void {
    if (this.isOver) return;
    const event = { stream: this.id, seq: ++this.seq, json, last };
    this.keep(event);
    this.connection?.writeEvent(eventIdOf(event), json);
  }

  private over(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.detach();
    for (const callback of this.callbacks.splice(0)) callback();
  }
}
