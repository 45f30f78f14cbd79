import type { Connection } from '../../../protocol/outbox.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { eventIdOf } from './event-log.js';

/** The missed events are sent first, then new events. */
export class ResumedStream {
  /** New events that arrived before the missed events were sent. Undefined after that. */
  private early: McpStreamEvent[] | undefined = [];

  /** @param seq position of the last event that the client received */
  constructor(
    private readonly connection: Connection,
    private seq: number,
  ) {}

  receive(event: McpStreamEvent): void {
    if (this.early) this.early.push(event);
    // The client resumes the stream and reads the stored events. Here they would fill the memory.
    else if (this.connection.isBehind) this.hangUp();
    else this.write(event);
  }

  /** @param seq position of the client's last event, if the constructor did not get it */
  catchUp(missed: readonly McpStreamEvent[], seq = this.seq): void {
    const early = this.early ?? [];
    this.early = undefined;
    this.seq = seq;
    for (const event of [...missed, ...early]) this.write(event);
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  /** Passes the new events to another connection, because this connection was rejected. */
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
