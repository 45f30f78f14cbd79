import type { Connection } from '../../../protocol/outbox.js';
import type { McpStreamEvent } from '../../../../options/session-store.js';
import { eventIdOf } from './event-log.js';

/** The connection that resumes a stream: gets the events that were missed, and then those that come. */
export class ResumedStream {
  /** Events that come before those that were missed. */
  private early: McpStreamEvent[] | undefined = [];

  /** @param seq position of the last event that the client has */
  constructor(
    private readonly connection: Connection,
    private seq: number,
  ) {}

  /** Takes an event that comes. */
  receive(event: McpStreamEvent): void {
    if (this.early) this.early.push(event);
    else this.write(event);
  }

  /**
   * Sends the events that were missed.
   * @param seq position of the last event that the client has, if that was not known before
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

  /** Passes on the events that came so far: this connection was refused. */
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
