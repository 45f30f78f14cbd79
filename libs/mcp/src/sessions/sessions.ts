import type { PanelEndpointSessions } from '@fledge/core/packages';
import type { Caller } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { asksForStream } from '../messages/accept.js';
import type { ClientMessage } from '../messages/json-rpc.js';
import {
  alreadyInitialized,
  NOT_ACCEPTABLE_GET,
  NOT_INITIALIZED,
  type Refusal,
  SESSION_REQUIRED,
  SHUTTING_DOWN,
} from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import { sessionKeyOf } from '../observe/session-key.js';
import type { Telemetry } from '../observe/telemetry.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import { listen } from './listen.js';
import {
  isInitialize,
  refusalOf,
  type RequestMessage,
  servedTo,
  sessionIdOf,
  streamFor,
} from './message-checks.js';
import { LocalSessions } from './registry/local-sessions.js';
import type { SessionRegistry } from './registry/session-registry.js';
import { SharedSessions } from './registry/shared-sessions.js';
import { type FastRequest, fastRequestOf } from './session/session-fast-path.js';
import type { Session } from './session/session.js';
import type { SessionSdk } from './session/session-sdk.js';

/** Serves clients of the revisions up to 2025-11-25, each in a session. */
export class Sessions {
  private closed = false;
  /** Clients turned away because `max` sessions were open. */
  private refused: { readonly count: number; readonly lastAt?: string } = { count: 0 };

  /**
   * Connects to the store, if sessions are shared.
   * @param sdk loaded with the first message that needs it
   */
  static async connect(
    options: EndpointOptions,
    sdk: OnDemand<SessionSdk>,
    operations: Operations,
    telemetry: Telemetry,
  ): Promise<Sessions> {
    const { store } = options.sessions;
    const registry =
      store === undefined
        ? new LocalSessions(options.sessions, operations, telemetry)
        : await SharedSessions.connect(options, store, { sdk, operations, telemetry });
    return new Sessions(sdk, registry, options.sessions);
  }

  private constructor(
    private readonly sdk: OnDemand<SessionSdk>,
    private readonly registry: SessionRegistry,
    private readonly options: EndpointOptions['sessions'],
  ) {}

  /** Number of open sessions. */
  get size(): number {
    return this.registry.size;
  }

  /** The open sessions, without their ids. */
  get overview(): Omit<PanelEndpointSessions, 'path'> {
    const open = [...this.registry.sessions()].map((session) => session.record.shown(session));
    return { max: this.options.max, open, refused: this.refused };
  }

  /** Ends a session. Its running calls are answered with an error. Returns false if there is none with this key. */
  endByKey(key: string): boolean {
    for (const session of this.registry.sessions()) {
      if (sessionKeyOf(session.id) !== key) continue;
      const reason = 'The session was ended by the server';
      void this.registry.end(session, { reason, error: 'terminated' });
      return true;
    }
    return false;
  }

  /** @returns a promise if the SDK is needed */
  post(message: ClientMessage, caller: Caller, reply: Reply): void | Promise<void> {
    const fast = fastRequestOf(message);
    if (!fast || this.registry.isShared) return this.postToSdk(message, fast, caller, reply);
    // Sessions of this process are found without waiting.
    const found = this.sessionOf(caller, message, undefined) as Session | Refusal;
    if ('status' in found) reply.refuse(found);
    else
      found.receive(
        { client: message, fast, stream: streamFor(message, caller, this.options.resume) },
        caller,
        reply,
      );
  }

  async get(caller: Caller, reply: Reply): Promise<void> {
    if (!asksForStream(caller.origin.headers.accept)) return reply.refuse(NOT_ACCEPTABLE_GET);
    const found = await this.sessionOf(caller, undefined, undefined);
    if ('status' in found) return reply.refuse(found);
    reply.inSession(found.id);
    const refusal = await listen(found, this.registry, caller, reply);
    if (refusal) reply.refuse(refusal);
  }

  async delete(caller: Caller, reply: Reply): Promise<void> {
    const found = await this.sessionOf(caller, undefined, undefined);
    if ('status' in found) return reply.refuse(found);
    const refusal = await this.registry.end(found);
    if (refusal) reply.refuse(refusal);
    else reply.accept(200);
  }

  resourceUpdated(uri: string): void {
    this.registry.resourceUpdated(uri);
  }

  /** @param limitMs maximum milliseconds to wait for running calls */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.sdk.settled();
    await this.registry.close(limitMs);
  }

  private async postToSdk(
    message: ClientMessage,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): Promise<void> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    // While the SDK was loaded, the client may have disconnected or the server closed.
    if (!reply.isOpen) return;
    const refusal = this.closed ? SHUTTING_DOWN : fast ? undefined : refusalOf(message, sdk);
    if (refusal) return reply.refuse(refusal);
    const stream = streamFor(message, caller, this.options.resume);
    const found =
      isInitialize(message) && sdk.isInitialize(message.message)
        ? await this.initialize(message, caller, sdk)
        : await this.sessionOf(caller, message, stream);
    if ('status' in found) return reply.refuse(found);
    if (!reply.isOpen) return found.abandon(message, stream);
    if (message.kind !== 'request' && this.registry.isShared) {
      const forwarded = await this.registry.forward(found, message);
      if (forwarded === true) return reply.accept(202);
      if (forwarded) return reply.refuse(forwarded);
    }
    found.receive({ client: message, fast, stream }, caller, reply);
  }

  /**
   * Opens the session of an `initialize` request, or returns why it cannot: `sessions.max` is reached. If
   * the request has the id of a session of the same caller, the new session replaces it.
   */
  private async initialize(
    { message }: RequestMessage,
    caller: Caller,
    sdk: SessionSdk,
  ): Promise<Session | Refusal> {
    const opened = await this.registry.open(message, caller, sdk, sessionIdOf(caller.origin));
    if (!('retryAfter' in opened)) return opened;
    this.refused = { count: this.refused.count + 1, lastAt: new Date().toISOString() };
    return alreadyInitialized(message.id, this.options.max, opened.retryAfter);
  }

  /** Returns the session that a request names, or why it has none. A promise if sessions are shared. */
  private sessionOf(
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Session | Refusal | Promise<Session | Refusal> {
    const id = sessionIdOf(caller.origin);
    if (id === undefined) return this.registry.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
    const found = this.registry.find(id, caller, message, stream);
    return found instanceof Promise
      ? found.then((each) => servedTo(caller, message, stream, each))
      : servedTo(caller, message, stream, found);
  }
}
