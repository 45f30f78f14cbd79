import crypto from 'node:crypto';
import type { Caller } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
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
  /** Version of HTTP of the request that opened it. */
  readonly httpVersion: string | undefined;
}

/** How a session ended. */
export interface SessionEnd {
  /** Error message for running calls. */
  readonly reason: string;
  /** `error.type` of the session in metrics. Undefined if its client ended it, or the application closed. */
  readonly error?: 'timeout' | 'evicted' | 'terminated';
}

const ENDED: SessionEnd = { reason: 'The session has ended' };

/**
 * The open sessions of this process. A session belongs to the principal that opened it. Its id is not a
 * credential: another principal that sends it gets no session.
 */
export class SessionStore {
  private readonly entries = new Map<string, Entry>();
  private readonly pulse: NodeJS.Timeout;

  constructor(
    private readonly limits: EndpointOptions['sessions'],
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
      void this.end(idle, { ...ENDED, error: 'evicted' });
    }
    const session = new Session(principalOf(caller), sdk, this.operations);
    const { httpVersion } = caller.origin;
    this.entries.set(session.id, { session, idle: this.idleTimer(session), httpVersion });
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

  async end(session: Session, end: SessionEnd = ENDED): Promise<void> {
    const entry = this.entries.get(session.id);
    clearTimeout(entry?.idle);
    if (entry && this.entries.delete(session.id)) this.report(entry, end);
    await session.close(end.reason);
  }

  /** Ends every session when its calls are answered, at the latest after `limitMs` milliseconds. */
  async endAll(limitMs: number): Promise<void> {
    const ending = [...this.sessions()].map(async (session) => {
      await session.drain(limitMs);
      await this.end(session, { reason: SHUTTING_DOWN.message });
    });
    await Promise.all(ending);
    clearInterval(this.pulse);
  }

  private report({ session, httpVersion }: Entry, { error }: SessionEnd): void {
    const { openedAt, revision } = session;
    const ms = performance.now() - openedAt;
    this.telemetry.sessionEnded({ ms, revision, httpVersion, error });
  }

  *sessions(): Iterable<Session> {
    for (const { session } of this.entries.values()) yield session;
  }

  private idleTimer(session: Session): NodeJS.Timeout | undefined {
    const { idleTimeoutMs } = this.limits;
    if (idleTimeoutMs === undefined) return undefined;
    const timer = setTimeout(() => {
      if (session.isBusy) timer.refresh();
      else void this.end(session, { ...ENDED, error: 'timeout' });
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
