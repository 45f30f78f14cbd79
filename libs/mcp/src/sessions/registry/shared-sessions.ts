import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Caller } from '../calls/caller.js';
import { isLogLevel } from '../calls/peer.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import {
  type ClientMessage,
  clientMessageOf,
  ErrorCode,
  type JsonObject,
  type JsonRpcRequest,
  RequestFault,
} from '../messages/json-rpc.js';
import { KEEP_ALIVE_MS } from '../messages/keep-alive.js';
import {
  duplicateId,
  invalidParams,
  PROCESS_AWAY,
  type Refusal,
  SHUTTING_DOWN,
  STORE_AWAY,
  STREAM_CONFLICT,
} from '../messages/refusals.js';
import type { Telemetry } from '../observe/telemetry.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import type { ResolvedResume } from '../options/resume-options.js';
import type {
  McpClosedSession,
  McpSessionMessage,
  McpSessionStore,
  McpSharedSessions,
  McpStreamEvent,
} from '../options/session-store.js';
import {
  ENDED,
  type Found,
  type Opened,
  principalOf,
  type SessionEnd,
  type SessionRegistry,
} from './session-registry.js';
import type { Listening } from './session-events.js';
import { revisionOf, type SessionSdk } from './session-sdk.js';
import { MOST_SUBSCRIPTIONS, questionOf, type SessionShare } from './session-share.js';
import { cancelledBy, Session } from './session.js';

/** What restoring a session takes from memory: a part of `sessions.max` is in use in one process. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Without `idleTimeoutMs`, the session of a client that left stays in the store this long. */
const LIFETIME_MS = 86_400_000;
/** Maximum length of the JSON that describes a client. */
const LONGEST_CLIENT = 65_536;
const LOG_MS = 10_000;

interface Setup {
  readonly sdk: OnDemand<SessionSdk>;
  readonly operations: Operations;
  readonly telemetry: Telemetry;
}

/**
 * Sessions that several processes share by a store. This process restores a session when a message reaches it, and
 * forgets it when it is no longer used here: the store has what lasts. Requests and streams stay in the
 * process that received them.
 */
export class SharedSessions implements SessionRegistry {
  readonly isShared = true;
  private readonly logger = new Logger('McpModule');
  private readonly here = new Map<string, Session>();
  private readonly restoring = new Map<string, Promise<Session>>();
  private readonly pulse: NodeJS.Timeout;
  private shared!: McpSharedSessions;
  private resume: ResolvedResume | undefined;
  private loggedAt = -Infinity;

  /** Connects to the store. */
  static async connect(
    { path, sessions }: EndpointOptions,
    store: McpSessionStore,
    setup: Setup,
  ): Promise<SharedSessions> {
    const made = new SharedSessions(setup);
    const { max, reclaimAfterMs, idleTimeoutMs = LIFETIME_MS, resume } = sessions;
    made.resume = resume;
    const receiver = made;
    const limits = { max, reclaimAfterMs, idleTimeoutMs, resume };
    made.shared = await store.connect({ path, ...limits, receiver });
    return made;
  }

  private constructor(private readonly setup: Setup) {
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
    sdk: SessionSdk,
    former: string | undefined,
  ): Promise<Opened | Refusal> {
    const { protocolVersion, capabilities, clientInfo } = message.params ?? {};
    const client = JSON.stringify({ protocolVersion, capabilities, clientInfo });
    if (client.length > LONGEST_CLIENT) {
      const fault = `capabilities and clientInfo must not exceed ${LONGEST_CLIENT} characters`;
      return invalidParams(message.id, fault);
    }
    const id = randomUUID();
    const principal = principalOf(caller);
    const revision = revisionOf(message.params, sdk) ?? '';
    const httpVersion = caller.origin.httpVersion ?? '';
    const stored = { id, principal, client, revision, httpVersion };
    const wait = await this.asked(this.shared.open(stored, message.id, former));
    if (typeof wait === 'object') return wait;
    if (wait !== undefined) return { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) };
    const session = this.sessionOf(id, principal, sdk);
    session.revision = revision;
    await session.start();
    this.here.set(id, session);
    return session;
  }

  async find(
    id: string,
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Promise<Found> {
    const request = message?.kind === 'request' ? message.message.id : undefined;
    const principal = principalOf(caller);
    const entry = await this.asked(
      this.shared.enter(id, principal, { request, stream, withClient: !this.here.has(id) }),
    );
    if ('status' in entry) return entry;
    if (entry.kind === 'unknown') {
      // The message that it ended may be lost.
      if (this.here.get(id)?.principal === principal) this.ended(id);
      return undefined;
    }
    if (entry.kind === 'duplicate') return duplicateId(request ?? '');
    try {
      const session = this.here.get(id) ?? (await this.restore(id, principal, entry.client));
      if ('status' in session) return session;
      session.touch();
      if (isLogLevel(entry.logLevel)) session.logLevel = entry.logLevel;
      if (stream !== undefined && !session.events) this.shared.append(id, endOf(stream));
      return session;
    } catch (error) {
      if (request !== undefined) this.shared.leave(id, request);
      throw error;
    }
  }

  async forward(session: Session, client: ClientMessage): Promise<Refusal | true | undefined> {
    if (client.kind === 'response') {
      const { message } = client;
      const asker = questionOf(message.id)?.process;
      if (asker === undefined || asker === this.shared.process) return undefined;
      const answer = { kind: 'answer', message } as const;
      const sent = await this.asked(this.shared.send(asker, session.id, answer));
      return sent === false ? PROCESS_AWAY : sent;
    }
    const request = cancelledBy(client);
    if (request === undefined || session.runs(request)) return undefined;
    const runner = await this.asked(this.shared.processOf(session.id, request));
    if (typeof runner === 'object') return runner;
    if (runner === undefined || runner === this.shared.process) return undefined;
    const sent = await this.asked(
      this.shared.send(runner, session.id, { kind: 'cancel', request }),
    );
    return typeof sent === 'object' ? sent : true;
  }

  async listen({ id }: Session, after: number | undefined): Promise<Refusal | Listening> {
    return (await this.asked(this.shared.listen(id, after))) ?? STREAM_CONFLICT;
  }

  resourceUpdated(uri: string): void {
    const method = 'notifications/resources/updated';
    const json = JSON.stringify({ jsonrpc: '2.0', method, params: { uri } });
    void this.asked(this.shared.publish(uri, json));
  }

  async end(session: Session, end: SessionEnd = ENDED): Promise<Refusal | undefined> {
    const closed = await this.asked(this.shared.end(session.id, end.error ?? 'deleted'));
    if (closed && 'status' in closed) return closed;
    if (closed) this.closed(closed);
    this.here.delete(session.id);
    await session.close(end.reason);
    return undefined;
  }

  /** The sessions stay open: other processes serve them. */
  async close(limitMs: number): Promise<void> {
    clearInterval(this.pulse);
    const leaving = [...this.here.values()].map(async (session) => {
      await session.drain(limitMs);
      await session.close(SHUTTING_DOWN.message);
    });
    await Promise.all(leaving);
    await this.shared.close();
  }

  /** Takes a message that another process received or sent. */
  receive(id: string, message: McpSessionMessage): void {
    const session = this.here.get(id);
    if (!session) return;
    switch (message.kind) {
      case 'answer': {
        const client = clientMessageOf(message.message);
        if (client?.kind === 'response') session.answered(client.message as unknown as JsonObject);
        return;
      }
      case 'cancel':
        return session.cancel(message.request);
      case 'push':
        return session.push(message.json, message.seq);
      case 'event':
        return session.events?.receive(message.event);
      case 'moved':
        return session.events?.moved(message.stream, message.which);
      case 'log-level':
        if (isLogLevel(message.level)) session.logLevel = message.level;
    }
  }

  ended(id: string): void {
    const session = this.here.get(id);
    this.here.delete(id);
    void session?.close(ENDED.reason);
  }

  closed({ ms, revision, httpVersion, why }: McpClosedSession): void {
    const error = why === 'timeout' || why === 'evicted' || why === 'terminated' ? why : undefined;
    this.setup.telemetry.sessionEnded({ ms, revision, httpVersion, error });
  }

  private async restore(
    id: string,
    principal: string,
    client: string | undefined,
  ): Promise<Session | Refusal> {
    if (client === undefined) {
      // It was forgotten while the store was asked.
      const entry = await this.asked(this.shared.enter(id, principal, ASKING));
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
    const sdk = await this.setup.sdk.get();
    const session = this.sessionOf(id, principal, sdk);
    session.revision = revisionOf(params, sdk);
    await session.restore(params);
    this.here.set(id, session);
    return session;
  }

  private sessionOf(id: string, principal: string, sdk: SessionSdk): Session {
    const { shared } = this;
    const share: SessionShare = {
      id,
      process: shared.process,
      left: (request) => shared.leave(id, request),
      unlistened: () => shared.unlisten(id),
      setLogLevel: (level) => this.changed(shared.setLogLevel(id, level)),
      subscribe: (uri) => this.changed(shared.subscribe(id, uri, MOST_SUBSCRIPTIONS)),
      unsubscribe: (uri) => this.changed(shared.unsubscribe(id, uri)),
      events: {
        append: (event) => shared.append(id, event),
        resume: ({ stream, seq }) => this.asked(shared.resume(id, stream, seq)),
      },
    };
    return new Session(principal, sdk, this.setup.operations, share, this.resume);
  }

  /** @throws RequestFault if the store does not reply */
  private async changed<Value>(reply: Promise<Value>): Promise<Value> {
    const value = await this.asked(reply);
    if (value === STORE_AWAY) throw new RequestFault(ErrorCode.Refused, STORE_AWAY.message);
    return value as Value;
  }

  /** The reply of the store, or the refusal for a client if there is none. */
  private async asked<Value>(reply: Promise<Value>): Promise<Value | Refusal> {
    try {
      return await reply;
    } catch (error) {
      if (performance.now() - this.loggedAt >= LOG_MS) {
        this.loggedAt = performance.now();
        this.logger.warn(`The session store failed: ${String(error)}`);
      }
      return STORE_AWAY;
    }
  }

  private beat(): void {
    const forgotten = performance.now() - FORGOTTEN_AFTER_MS;
    for (const session of this.here.values()) {
      if (session.idleSince === undefined || session.idleSince > forgotten) session.keepAlive();
      else this.ended(session.id);
    }
  }
}

/** Asks for the client of a session. */
const ASKING = { request: undefined, stream: undefined, withClient: true };

/** Ends a stream that no client resumes. */
function endOf(stream: string): McpStreamEvent {
  return { stream, seq: 1, json: '', last: true };
}
