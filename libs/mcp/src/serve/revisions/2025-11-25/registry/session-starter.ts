import type { JsonObject } from '../../../protocol/json-rpc.js';
import { type Refusal, STORE_AWAY } from '../../../protocol/refusals.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import type { McpSharedSessions } from '../../../../options/session-store.js';
import { Session } from '../session/session.js';
import type { SessionProtocol } from '../session/session-methods.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from '../session/session-share.js';
import type { StoreReplies } from './store-replies.js';

interface Parts {
  readonly shared: McpSharedSessions;
  readonly replies: StoreReplies;
  readonly protocol: SessionProtocol;
  readonly resume: ResolvedResume | undefined;
}

/** Requests only the client information of a session from the store. */
const ASKING = { request: undefined, stream: undefined, withClient: true };

/** Starts new sessions, and sessions that another process opened. All are in the store. */
export class SessionStarter {
  /** @param here map to which the started sessions of this process are added */
  constructor(
    private readonly here: Map<string, Session>,
    private readonly parts: Parts,
  ) {}

  /** @param client the parameters of the session's `initialize` request */
  open(id: string, principal: string, client: JsonObject): Session {
    const { shared, replies, protocol, resume } = this.parts;
    const share = shareOf(id, shared, replies);
    const session = new Session({ principal, client, protocol, share, resume });
    this.here.set(id, session);
    return session;
  }

  /**
   * Starts a session that another process opened.
   * @param client the parameters of the session's `initialize` request, as JSON. If undefined, the
   * parameters are read from the store
   */
  async restore(
    id: string,
    principal: string,
    client: string | undefined,
  ): Promise<Session | Refusal> {
    const { shared, replies } = this.parts;
    if (client === undefined) {
      // The session was removed from memory while the store was queried.
      const entry = await replies.of(shared.enter(id, principal, ASKING));
      if ('status' in entry) return entry;
      client = entry.kind === 'entered' ? entry.client : undefined;
      if (client === undefined) return STORE_AWAY;
    }
    // Another message may have restored the session while the store was queried.
    return this.here.get(id) ?? this.open(id, principal, JSON.parse(client) as JsonObject);
  }
}

function shareOf(id: string, shared: McpSharedSessions, replies: StoreReplies): SessionShare {
  return {
    id,
    process: shared.process,
    left: (request) => shared.leave(id, request),
    unlistened: () => shared.unlisten(id),
    setLogLevel: (level) => replies.require(shared.setLogLevel(id, level)),
    subscribe: (uri) => replies.require(shared.subscribe(id, uri, MOST_SUBSCRIPTIONS)),
    unsubscribe: (uri) => replies.require(shared.unsubscribe(id, uri)),
    events: {
      append: (event) => shared.append(id, event),
      resume: ({ stream, seq }) => replies.of(shared.resume(id, stream, seq)),
    },
  };
}
