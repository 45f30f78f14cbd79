import type { Caller } from '../calls/caller.js';
import type { Abortable, Peer, Question } from '../calls/peer.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { Notifier } from '../messages/notifications.js';
import type { StructuredForm } from '../schema/output-schema.js';
import type { InputRounds } from './input-rounds.js';

/** Client data in a request of 2026-07-28. */
export interface StatelessClient {
  readonly client: McpClientInfo | undefined;
  readonly capabilities: JsonObject;
  /** Over stdio, clients of earlier revisions are served as well. */
  readonly structured: StructuredForm;
}

/** The client of a call of 2026-07-28. It answers questions with another request. */
export class StatelessPeer implements Peer {
  readonly client: McpClientInfo | undefined;
  readonly capabilities: JsonObject;
  readonly structured: StructuredForm;

  /** @param started receives the running call, to abort it when its request ends */
  constructor(
    { client, capabilities, structured }: StatelessClient,
    readonly rounds: InputRounds,
    private readonly notifier: Notifier,
    readonly started: (call: Abortable) => void,
  ) {
    this.client = client;
    this.capabilities = capabilities;
    this.structured = structured;
  }

  get caller(): Caller {
    return this.rounds.call.caller;
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

  closeStream(): boolean {
    return false;
  }

  lacks(question: Question): void {
    this.rounds.lacks(question);
  }
}
