import type { JsonObject } from '../../messages/json-rpc.js';
import { type Refusal, STORE_AWAY } from '../../messages/refusals.js';
import type { OnDemand } from '../../operations/on-demand.js';
import type { Operations } from '../../operations/operations.js';
import type { ResolvedResume } from '../../options/resume-options.js';
import type { McpSharedSessions } from '../../options/session-store.js';
import { Session } from '../session/session.js';
import { revisionOf, type SessionSdk } from '../session/session-sdk.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from '../session/session-share.js';
import type { StoreReplies } from './store-replies.js';

/** What the sessions of a store are made of. */
interface Parts {
  readonly shared: McpSharedSessions;
  readonly replies: StoreReplies;
  readonly sdk: OnDemand<SessionSdk>;
  readonly operations: Operations;
  readonly resume: ResolvedResume | undefined;
}

/** Asks for the client of a session. */
const ASKING = { request: undefined, stream: undefined, withClient: true };

/** Starts sessions of a store in this process: those that it opens, and those that another one opened. */
export class SessionStarter {
  private readonly restoring = new Map<string, Promise<Session>>();

  /** @param here takes the sessions */
  constructor(
    private readonly here: Map<string, Session>,
    private readonly parts: Parts,
  ) {}

  /** Starts a session that was just opened. */
  async open(id: string, principal: string, revision: string, sdk: SessionSdk): Promise<Session> {
    const session = this.make(id, principal, revision, sdk);
    await session.start();
    this.here.set(id, session);
    return session;
  }

  /**
   * Starts a session that another process opened. Messages that come meanwhile wait for the same one.
   * @param client JSON of the parameters of its `initialize`; undefined: it is read from the store
   */
  async restore(
    id: string,
    principal: string,
    client: string | undefined,
  ): Promise<Session | Refusal> {
    const { shared, replies } = this.parts;
    if (client === undefined) {
      // It was forgotten while the store was asked.
      const entry = await replies.of(shared.enter(id, principal, ASKING));
      if ('status' in entry) return entry;
      client = entry.kind === 'entered' ? entry.client : undefined;
      if (client === undefined) return STORE_AWAY;
    }
    const params = JSON.parse(client) as JsonObject;
    const running = this.restoring.get(id);
    if (running) return running;
    const restoring = this.restored(id, principal, params);
    this.restoring.set(id, restoring);
    return restoring.finally(() => this.restoring.delete(id));
  }

  private async restored(id: string, principal: string, params: JsonObject): Promise<Session> {
    const sdk = await this.parts.sdk.get();
    const session = this.make(id, principal, revisionOf(params, sdk), sdk);
    await session.restore(params);
    this.here.set(id, session);
    return session;
  }

  private make(
    id: string,
    principal: string,
    revision: string | undefined,
    sdk: SessionSdk,
  ): Session {
    const { shared, replies, operations, resume } = this.parts;
    const share = shareOf(id, shared, replies);
    return new Session({ principal, revision, sdk, operations, share, resume });
  }
}

/** Reports what happens in a session to its store. */
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
