import type { Caller } from '../../../call/caller.js';
import { sessionOwner } from '../../../call/caller-key.js';
import type { EndpointOptions } from '../../../../mcp.defaults.js';
import type { JsonObject, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import { KEEP_ALIVE_MS } from '../../../protocol/reply.js';
import { SHUTTING_DOWN } from '../../../protocol/refusals.js';
import { findRoom } from './session-limit.js';
import { ENDED, type Opened, type SessionEnd, type SessionRegistry } from './session-registry.js';
import type { Listening } from '../streams/session-events.js';
import type { SessionProtocol } from '../session/session-methods.js';
import { Session } from '../session/session.js';

interface Entry {
  readonly session: Session;
  readonly idle: NodeJS.Timeout | undefined;
  /** HTTP version of the request that opened the session. */
  readonly httpVersion: string | undefined;
}

/**
 * The open sessions of this process. A session belongs to the principal that opened it. Other
 * principals cannot use the session, even if they send the session id.
 */
export class LocalSessions implements SessionRegistry {
  readonly isShared = false;
  private readonly entries = new Map<string, Entry>();
  private readonly pulse: NodeJS.Timeout;

  constructor(
    private readonly limits: EndpointOptions['sessions'],
    private readonly protocol: SessionProtocol,
  ) {
    this.pulse = setInterval(() => {
      for (const { session } of this.entries.values()) session.keepAlive();
    }, KEEP_ALIVE_MS).unref();
  }

  get size(): number {
    return this.entries.size;
  }

  open(
    { params = {} }: JsonRpcRequest,
    caller: Caller,
    former: string | undefined,
  ): Promise<Opened> {
    const replaced = former === undefined ? undefined : this.find(former, caller);
    if (replaced) void this.end(replaced);
    const room = findRoom(this.sessions(), this.size, this.limits, performance.now());
    if (!room.isFree) return Promise.resolve(room);
    if (room.evicted) void this.end(room.evicted, { ...ENDED, error: 'evicted' });
    return Promise.resolve(this.start(caller, params));
  }

  find(id: string, caller: Caller): Session | undefined {
    const entry = this.entries.get(id);
    const principal = sessionOwner(caller);
    if (entry?.session.principal !== principal) return undefined;
    entry.idle?.refresh();
    return entry.session;
  }

  forward(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  listen({ streams: { events } }: Session, after: number | undefined): Promise<Listening> {
    return Promise.resolve(events?.mainAfter(after) ?? { seq: 0, missed: [] });
  }

  resourceUpdated(uri: string): void {
    for (const { session } of this.entries.values()) session.resourceUpdated(uri);
  }

  end(session: Session, end: SessionEnd = ENDED): Promise<undefined> {
    const entry = this.entries.get(session.id);
    clearTimeout(entry?.idle);
    if (entry && this.entries.delete(session.id)) this.report(entry, end);
    session.close(end.reason);
    return Promise.resolve(undefined);
  }

  /** Ends each session when the session's calls have finished, or after `limitMs` milliseconds. */
  async close(limitMs: number): Promise<void> {
    const ending = [...this.sessions()].map(async (session) => {
      await session.drain(limitMs);
      await this.end(session, { reason: SHUTTING_DOWN.message });
    });
    await Promise.all(ending);
    clearInterval(this.pulse);
  }

  private start(caller: Caller, client: JsonObject): Session {
    const session = new Session({
      principal: sessionOwner(caller),
      client,
      protocol: this.protocol,
      share: undefined,
      resume: this.limits.resume,
    });
    const { httpVersion } = caller.origin;
    this.entries.set(session.id, { session, idle: this.idleTimer(session), httpVersion });
    return session;
  }

  private report({ session, httpVersion }: Entry, { error }: SessionEnd): void {
    const { openedAt, revision } = session;
    const ms = performance.now() - openedAt;
    this.protocol.operations.watches.sessionEnded({ ms, revision, httpVersion, error });
  }

  *sessions(): Iterable<Session> {
    for (const { session } of this.entries.values()) yield session;
  }

  private idleTimer(session: Session): NodeJS.Timeout | undefined {
    const { idleTimeoutMs } = this.limits;
    if (idleTimeoutMs === undefined) return undefined;
    const timer = setTimeout(() => {
      if (session.requests.isEmpty) void this.end(session, { ...ENDED, error: 'timeout' });
      else timer.refresh();
    }, idleTimeoutMs).unref();
    return timer;
  }
}
