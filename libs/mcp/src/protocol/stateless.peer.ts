import type { CallPeer, ClientQuestion, McpClientInfo } from '../live/call-peer.js';
import type { CallNotifier } from './call-notifier.js';
import type { InputRounds } from './input-rounds.js';
import type { JsonObject } from './json-rpc.js';

/** The client of a call of 2026-07-28: what it is asked it answers with another request. */
export class StatelessPeer implements CallPeer {
  readonly info: McpClientInfo | undefined;
  readonly capabilities: JsonObject;

  constructor(
    client: Pick<CallPeer, 'info' | 'capabilities'>,
    private readonly notifier: CallNotifier,
    private readonly rounds: InputRounds,
  ) {
    this.info = client.info;
    this.capabilities = client.capabilities;
  }

  get demand(): readonly ClientQuestion[] | undefined {
    return this.rounds.demand;
  }

  progress(progress: number, total?: number, message?: string): void {
    this.notifier.progress(progress, total, message);
  }

  log(...message: Parameters<CallNotifier['log']>): void {
    this.notifier.log(...message);
  }

  ask(question: ClientQuestion): Promise<unknown> {
    return this.rounds.ask(question);
  }

  lacks(question: ClientQuestion): void {
    this.rounds.lacks(question);
  }
}
