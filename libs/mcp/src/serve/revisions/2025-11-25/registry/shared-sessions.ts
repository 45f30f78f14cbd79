import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../call/caller.js';
import { sessionOwner } from '../../../call/caller-key.js';
import { isLogLevel } from '../../../call/peer.js';
import type { EndpointOptions } from '../../../../mcp.defaults.js';
import type { ClientMessage, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import { KEEP_ALIVE_MS } from '../../../protocol/reply.js';
import {
  duplicateId,
  invalidParams,
  type Refusal,
  SESSION_NOT_FOUND,
  SHUTTING_DOWN,
} from '../../../protocol/refusals.js';
import type {
  McpSessionStore,
  McpSharedSessions,
  McpStreamEvent,
} from '../../../../options/session-store.js';
import type { Session } from '../session/session.js';
import type { SessionProtocol } from '../session/session-methods.js';
import { negotiatedRevision } from '../session/session-revisions.js';
import type { Listening } from '../streams/session-events.js';
import { connectedStore } from '../../../../options/option-rules.js';
import { forward } from './forward-message.js';
import { SessionReceiver } from './session-receiver.js';
import {
  ENDED,
  type Found,
  type Opened,
  type SessionEnd,
  type SessionRegistry,
} from './session-registry.js';
import { SessionStarter } from './session-starter.js';
import { StoreReplies } from './store-replies.js';

/**
 * Milliseconds after which an unused session is removed from memory. The store may have many
 * sessions that this process does not serve.
 */
const FORGOTTEN_AFTER_MS = 60_000;
/** For abandoned sessions in the store, if `idleTimeoutMs` is not set. */
const LIFETIME_MS = 86_400_000;
/** Maximum length of the JSON with a client's information. */
const LONGEST_CLIENT = 65_536;

/**
 * Sessions in a store that several processes share. A process restores a session when a message for
 * the session arrives. The process removes an unused session from memory. The permanent state is
 * only in the store. Requests and streams stay in the process that received them.
 */
export class SharedSessions implements SessionRegistry {
  readonly isShared = true;
  private readonly pulse: NodeJS.Timeout;

  static async connect(
    { path, sessions }: EndpointOptions,
    store: McpSessionStore,
    protocol: SessionProtocol,
  ): Promise<SharedSessions> {
    const { max, reclaimAfterMs, idleTimeoutMs = LIFETIME_MS, resume } = sessions;
    const here = new Map<string, Session>();
    const receiver = new SessionReceiver(here, protocol.operations.watches);
    const limits = { max, reclaimAfterMs, idleTimeoutMs, resume };
    const connecting = store.connect({ path, ...limits, receiver });
    const shared = await connectedStore('sessions', connecting, 'open');
    const replies = new StoreReplies();
    const starter = new SessionStarter(here, { protocol, shared, replies, resume });
    return new SharedSessions(here, shared, replies, receiver, starter);
  }

  /** @param here the sessions in the memory of this process */
  private constructor(
    private readonly here: Map<string, Session>,
    private readonly shared: McpSharedSessions,
    private readonly replies: StoreReplies,
    private readonly receiver: SessionReceiver,
    private readonly starter: SessionStarter,
  ) {
    this.pulse = setInterval(() => this.beat(), KEEP_ALIVE_MS).unref();
  }

  get size(): number {
    return this.shared.size;
  }

  sessions(): Iterable<Session> {
    return this.here.values();
  }

  async open(
    message: JsonRpcRequest,
    caller: Caller,
    former: string | undefined,
  ): Promise<Opened | Refusal> {
    const { params = {} } = message;
    const { protocolVersion, capabilities, clientInfo } = params;
    const client = JSON.stringify({ protocolVersion, capabilities, clientInfo });
    if (client.length > LONGEST_CLIENT) {
      const fault =
        '`capabilities` and `clientInfo` together must not exceed ' +
        `${LONGEST_CLIENT} characters`;
      return invalidParams(message.id, fault);
    }
    const id = randomUUID();
    const principal = sessionOwner(caller);
    const revision = negotiatedRevision(params);
    const httpVersion = caller.origin.httpVersion ?? '';
    const stored = { id, principal, client, revision, httpVersion };
    const wait = await this.replies.of(this.shared.open(stored, message.id, former));
    if (typeof wait === 'object') return wait;
    if (wait !== undefined) return { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) };
    return this.starter.open(id, principal, params);
  }

  async find(
    id: string,
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Promise<Found> {
    const request = message?.kind === 'request' ? message.message.id : undefined;
    const principal = sessionOwner(caller);
    const entry = await this.replies.of(
      this.shared.enter(id, principal, { request, stream, withClient: !this.here.has(id) }),
    );
    if ('status' in entry) return entry;
    if (entry.kind === 'unknown') {
      // The session has ended, but this process may not have received the message about the end.
      if (this.here.get(id)?.principal === principal) this.receiver.ended(id);
      return undefined;
    }
    if (entry.kind === 'duplicate') return duplicateId(request ?? '');
    try {
      const session =
        this.here.get(id) ?? (await this.starter.restore(id, principal, entry.client));
      if ('status' in session) return session;
      session.touch();
      if (isLogLevel(entry.logLevel)) session.settings.logLevel = entry.logLevel;
      if (stream !== undefined && !session.streams.events) this.shared.append(id, endOf(stream));
      return session;
    } catch (error) {
      if (request !== undefined) this.shared.leave(id, request);
      throw error;
    }
  }

  forward(session: Session, message: ClientMessage): Promise<Refusal | true | undefined> {
    return forward(session, message, this.shared, this.replies);
  }

  async listen({ id }: Session, after: number | undefined): Promise<Refusal | Listening> {
    return (await this.replies.of(this.shared.listen(id, after))) ?? SESSION_NOT_FOUND;
  }

  resourceUpdated(uri: string): void {
    const method = 'notifications/resources/updated';
    const json = JSON.stringify({ jsonrpc: '2.0', method, params: { uri } });
    void this.replies.of(this.shared.publish(uri, json));
  }

  async end(session: Session, end: SessionEnd = ENDED): Promise<Refusal | undefined> {
    const closed = await this.replies.of(this.shared.end(session.id, end.error ?? 'deleted'));
    if (closed && 'status' in closed) return closed;
    if (closed) this.receiver.closed(closed);
    this.here.delete(session.id);
    session.close(end.reason);
    return undefined;
  }

  /** Disconnects this process. The sessions stay open, because other processes also serve them. */
  async close(limitMs: number): Promise<void> {
    clearInterval(this.pulse);
    const leaving = [...this.here.values()].map(async (session) => {
      await session.drain(limitMs);
      session.close(SHUTTING_DOWN.message);
    });
    await Promise.all(leaving);
    await this.shared.close();
  }

  private beat(): void {
    const forgotten = performance.now() - FORGOTTEN_AFTER_MS;
    for (const session of this.here.values()) {
      if (session.idleSince === undefined || session.idleSince > forgotten) session.keepAlive();
      else this.receiver.ended(session.id);
    }
  }
}

/** Used if the client cannot resume the stream. */
function endOf(stream: string): McpStreamEvent {
  return { stream, seq: 1, json: '', last: true };
}
