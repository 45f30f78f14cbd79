import { isLogLevel } from '../../../call/peer.js';
import { clientMessageOf } from '../../../protocol/json-rpc.js';
import type { CallWatches } from '../../../protocol/call-watches.js';
import type {
  McpClosedSession,
  McpSessionMessage,
  McpSessionReceiver,
} from '../../../../options/session-store.js';
import type { Session } from '../session/session.js';
import { ENDED } from './session-registry.js';

/** Handles messages about sessions. The messages come from the store or from other processes. */
export class SessionReceiver implements McpSessionReceiver {
  /** @param here the sessions in the memory of this process */
  constructor(
    private readonly here: Map<string, Session>,
    private readonly watches: CallWatches,
  ) {}

  receive(id: string, message: McpSessionMessage): void {
    const session = this.here.get(id);
    if (session) deliver(session, message);
  }

  ended(id: string): void {
    const session = this.here.get(id);
    this.here.delete(id);
    session?.close(ENDED.reason);
  }

  closed({ ms, revision, httpVersion, why }: McpClosedSession): void {
    const error = why === 'timeout' || why === 'evicted' || why === 'terminated' ? why : undefined;
    this.watches.sessionEnded({ ms, revision, httpVersion, error });
  }
}

function deliver(session: Session, message: McpSessionMessage): void {
  switch (message.kind) {
    case 'answer': {
      const client = clientMessageOf(message.message);
      if (client?.kind === 'response') session.questions.answered(client.message);
      return;
    }
    case 'cancel':
      return session.requests.cancel(message.request);
    case 'push':
      return session.streams.push(message.json, message.seq);
    case 'event':
      return session.streams.events?.receive(message.event);
    case 'moved':
      return session.streams.moved(message.stream, message.which);
    case 'log-level':
      if (isLogLevel(message.level)) session.settings.logLevel = message.level;
  }
}
