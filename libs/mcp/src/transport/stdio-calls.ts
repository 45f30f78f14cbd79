import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Caller } from '../calls/caller.js';
import { answeredIdOf, answerFactsOf } from '../messages/call-answer.js';
import type { CallWatches } from '../messages/call-watches.js';
import { clientMessageOf, type RequestId } from '../messages/json-rpc.js';
import type { CallWatch } from '../observe/call-watch.js';

/** The observed calls that run over stdio. */
export class StdioCalls {
  private readonly running = new Map<RequestId, CallWatch>();

  /** @param caller the parent process */
  constructor(
    private readonly watches: CallWatches,
    private readonly caller: Caller,
  ) {}

  /** The sender of a running request. */
  callerOf(id: RequestId): Caller {
    const watch = this.running.get(id);
    return watch ? { ...this.caller, watch } : this.caller;
  }

  /** @param via the tool that the client called in place of the one that runs */
  begin(message: JSONRPCMessage, via?: string): void {
    if (!this.watches.any) return;
    const client = clientMessageOf(message);
    if (client?.kind !== 'request' || this.running.has(client.message.id)) return;
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const watch = this.watches.watch(client, { ...this.caller, via }, bytes);
    if (watch) this.running.set(client.message.id, watch);
  }

  /** Reports a message if it is an answer. A promise: the answer must wait for it. */
  end(message: JSONRPCMessage): Promise<void> | undefined {
    const watch = this.take(answeredIdOf(message));
    if (!watch) return undefined;
    const facts = watch.reported ?? answerFactsOf(message) ?? { outcome: 'ok' };
    return watch.end({ ...facts, bytes: Buffer.byteLength(JSON.stringify(message)) });
  }

  cancel(id: RequestId | undefined): void {
    void this.take(id)?.end({ outcome: 'cancelled', bytes: 0 });
  }

  private take(id: RequestId | undefined): CallWatch | undefined {
    if (id === undefined) return undefined;
    const watch = this.running.get(id);
    this.running.delete(id);
    return watch;
  }
}
