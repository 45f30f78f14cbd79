import type { Peer, Question } from '../calls/peer.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { Notifier } from '../messages/notifications.js';
import type { InputRounds } from './input-rounds.js';
import type { JsonObject } from '../messages/json-rpc.js';

/** The client of a call of 2026-07-28: what it is asked it answers with another request. */
export class StatelessPeer implements Peer {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: JsonObject;

  constructor(
    client: Pick<Peer, 'info' | 'capabilities'>,
    private readonly notifier: Notifier,
    private readonly rounds: InputRounds,
  ) {
    this.info = client.info;
    this.capabilities = client.capabilities;
  }

  get demand(): readonly Question[] | undefined {
    return this.rounds.demand;
  }

  progress(progress: number, total?: number, message?: string): void {
    this.notifier.progress(progress, total, message);
  }

  log(...message: Parameters<Notifier['log']>): void {
    this.notifier.log(...message);
  }

  ask(question: Question): Promise<unknown> {
    return this.rounds.ask(question);
  }

  lacks(question: Question): void {
    this.rounds.lacks(question);
  }
}
