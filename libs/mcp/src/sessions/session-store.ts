import crypto from 'node:crypto';
import type { Caller } from '../calls/caller.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { KEEP_ALIVE_MS } from '../messages/keep-alive.js';
import { SHUTTING_DOWN } from '../messages/refusals.js';
import type { Telemetry } from '../observe/telemetry.js';
import type { Operations } from '../operations/operations.js';
import { reclaimable, secondsToReclaim } from './reclaim.js';
import type { SessionSdk } from './session-sdk.js';
import { USER } from './session-record.js';
import { Session } from './session.js';

interface Entry {
  readonly session: Session;
  readonly idle: NodeJS.Timeout | undefined;
}

/**
 * The open sessions of this process. A session belongs to the principal that opened it. Its id is not a
 * credential: another principal that sends it gets no session.
 */
export class SessionStore {
  private readonly entries = new Map<string, Entry>();
  private readonly pulse: NodeJS.Timeout;

  constructor(
    private readonly limits: ResolvedMcpOptions['sessions'],
    private readonly operations: Operations,
    private readonly telemetry: Telemetry,
  ) {
    this.pulse = setInterval(() => {
      for (const { session } of this.entries.values()) session.keepAlive();
    }, KEEP_ALIVE_MS).unref();
  }

  get size(): number {
    return this.entries.size;
  }

  /** Opens a session. Undefined if the maximum is reached and no session has been idle for long enough. */
  async open(caller: Caller, sdk: SessionSdk): Promise<Session | undefined> {
    if (this.entries.size >= this.limits.max) {
      const idle = reclaimable(this.sessions(), this.limits.reclaimAfterMs, performance.now());
      if (idle === undefined) return undefined;
      void this.end(idle);
    }
    const session = new Session(principalOf(caller), sdk, this.operations);
    this.entries.set(session.id, { session, idle: this.idleTimer(session) });
    await session.start();
    return session;
  }

  /** Seconds after which `open()` may succeed. */
  get retryAfter(): number {
    return secondsToReclaim(this.sessions(), this.limits.reclaimAfterMs, performance.now());
  }

  /** Finds a session by id. Undefined if it does not exist or another principal opened it. */
  find(id: string, caller: Caller): Session | undefined {
    const entry = this.entries.get(id);
    if (entry?.session.principal !== principalOf(caller)) return undefined;
    entry.idle?.refresh();
    return entry.session;
  }

  /** Notifies the sessions that subscribed to a resource that it changed. */
  resourceUpdated(uri: string): void {
    for (const { session } of this.entries.values()) session.resourceUpdated(uri);
  }

  /** @param reason error message for running calls */
  async end(session: Session, reason = 'The session has ended'): Promise<void> {
    clearTimeout(this.entries.get(session.id)?.idle);
    if (this.entries.delete(session.id)) this.report(session);
    await session.close(reason);
  }

  /** Ends every session when its calls are answered, at the latest after `limitMs` milliseconds. */
  async endAll(limitMs: number): Promise<void> {
    const ending = [...this.sessions()].map(async (session) => {
      await session.drain(limitMs);
      await this.end(session, SHUTTING_DOWN.message);
    });
    await Promise.all(ending);
    clearInterval(this.pulse);
  }

  private report({ openedAt, revision }: Session): void {
    this.telemetry.sessionEnded(performance.now() - openedAt, revision);
  }

  *sessions(): Iterable<Session> {
    for (const { session } of this.entries.values()) yield session;
  }

  private idleTimer(session: Session): NodeJS.Timeout | undefined {
    const { idleTimeoutMs } = this.limits;
    if (idleTimeoutMs === undefined) return undefined;
    const timer = setTimeout(() => {
      if (session.isBusy) timer.refresh();
      else void this.end(session);
    }, idleTimeoutMs).unref();
    return timer;
  }
}

/**
 * What a session is bound to: the principal, or otherwise a digest of the credentials, so that they are not
 * stored.
 */
function principalOf({ principal, origin: { headers } }: Caller): string {
  if (principal !== undefined) return `${USER}${principal.id}`;
  if (headers.authorization === undefined) return 'anonymous';
  return crypto.hash('sha256', headers.authorization, 'base64');
}
