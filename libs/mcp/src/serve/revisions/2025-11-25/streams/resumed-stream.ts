import type { Connection } from '../../../protocol/outbox.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { eventIdOf } from './event-log.js';

/** A connection that resumes a stream: it first sends the missed events, then new events. */
export class ResumedStream {
  /** New events that arrive before the missed events are sent. */
  private early: McpStreamEvent[] | undefined = [];

  /** @param seq position of the last event that the client received */
  constructor(
    private readonly connection: Connection,
    private seq: number,
  ) {}

  /** Handles a new event. */
  receive(event: McpStreamEvent): void {
    if (this.early) this.early.push(event);
    else this.write(event);
  }

  /**
   * Sends the missed events.
   * @param seq position of the last event that the client received, if it was unknown before
   */
  catchUp(missed: readonly McpStreamEvent[], seq = this.seq): void {
    const early = this.early ?? [];
    this.early = undefined;
    this.seq = seq;
    for (const event of [...missed, ...early]) this.write(event);
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  /**
   * Passes the events that this connection has received to another connection, because this one was
   * rejected.
   */
  handTo(other: ResumedStream): void {
    for (const event of this.early ?? []) other.receive(event);
    this.early = [];
  }

  keepAlive(): void {
    if (this.early === undefined) this.connection.keepAlive();
  }

  hangUp(): void {
    this.connection.hangUp();
  }

  private write(event: McpStreamEvent): void {
    if (event.seq <= this.seq) return;
    this.seq = event.seq;
    if (event.json !== '') this.connection.writeEvent(eventIdOf(event), event.json);
    if (event.last) this.connection.hangUp();
  }
}
