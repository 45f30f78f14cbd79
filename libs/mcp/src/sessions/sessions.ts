import type { PanelSessions } from '@fledge/core/packages';
import type { Caller } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import type { ClientMessage } from '../messages/json-rpc.js';
import {
  alreadyInitialized,
  INVALID_MESSAGE,
  invalidParams,
  NOT_ACCEPTABLE_GET,
  NOT_INITIALIZED,
  type Refusal,
  SESSION_NOT_FOUND,
  SESSION_REQUIRED,
  SHUTTING_DOWN,
  unsupportedVersion,
} from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import { sessionKeyOf } from '../observe/session-key.js';
import type { Telemetry } from '../observe/telemetry.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import { fastRequestOf } from './session-fast-path.js';
import type { SessionSdk } from './session-sdk.js';
import { SessionStore } from './session-store.js';
import type { Session } from './session.js';

/** Serves clients of the revisions up to 2025-11-25, each in a session. */
export class Sessions {
  private readonly store: SessionStore;
  private readonly max: number;
  private closed = false;
  /** Clients turned away because `max` sessions were open. */
  private refused: { readonly count: number; readonly lastAt?: string } = { count: 0 };

  /** @param sdk loaded with the first message that needs it */
  constructor(
    options: EndpointOptions,
    private readonly sdk: OnDemand<SessionSdk>,
    operations: Operations,
    telemetry: Telemetry,
  ) {
    this.store = new SessionStore(options.sessions, operations, telemetry);
    this.max = options.sessions.max;
  }

  /** Number of open sessions. */
  get size(): number {
    return this.store.size;
  }

  /** The open sessions, without their ids. */
  get overview(): PanelSessions {
    const open = [...this.store.sessions()].map((session) => session.record.shown(session));
    return { max: this.max, open, refused: this.refused };
  }

  /** Ends a session. Its running calls are answered with an error. Returns false if there is none with this key. */
  endByKey(key: string): boolean {
    for (const session of this.store.sessions()) {
      if (sessionKeyOf(session.id) !== key) continue;
      const reason = 'The session was ended by the server';
      void this.store.end(session, { reason, error: 'terminated' });
      return true;
    }
    return false;
  }

  /** @returns a promise if the SDK is needed */
  post(message: ClientMessage, caller: Caller, reply: Reply): void | Promise<void> {
    const fast = fastRequestOf(message);
    if (!fast) return this.postToSdk(message, caller, reply);
    const found = this.sessionOf(caller);
    if ('status' in found) reply.refuse(found);
    else found.receive(message, fast, caller, reply);
  }

  get(caller: Caller, reply: Reply): void {
    if (!caller.origin.headers.accept?.includes('text/event-stream')) {
      return reply.refuse(NOT_ACCEPTABLE_GET);
    }
    const found = this.sessionOf(caller);
    if ('status' in found) return reply.refuse(found);
    found.listen(reply);
  }

  async delete(caller: Caller, reply: Reply): Promise<void> {
    const found = this.sessionOf(caller);
    if ('status' in found) return reply.refuse(found);
    await this.store.end(found);
    reply.accept(200);
  }

  resourceUpdated(uri: string): void {
    this.store.resourceUpdated(uri);
  }

  /** @param limitMs maximum milliseconds to wait for running calls */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.sdk.settled();
    await this.store.endAll(limitMs);
  }

  private async postToSdk(message: ClientMessage, caller: Caller, reply: Reply): Promise<void> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    // While the SDK was loaded, the client may have disconnected or the server closed.
    if (!reply.isOpen) return;
    const refusal = this.closed ? SHUTTING_DOWN : refusalOf(message, sdk);
    if (refusal) return reply.refuse(refusal);
    const found =
      isInitialize(message) && sdk.isInitialize(message.message)
        ? await this.initialize(message, caller, sdk)
        : this.sessionOf(caller);
    if ('status' in found) return reply.refuse(found);
    found.receive(message, undefined, caller, reply);
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
    const id = sessionIdOf(caller.origin);
    const former = id === undefined ? undefined : this.store.find(id, caller);
    // Its place is free immediately, while it still closes.
    const closing = former && this.store.end(former);
    const session = await this.store.open(caller, sdk);
    await closing;
    if (session) {
      session.revision = revisionOf(message, sdk);
      return session;
    }
    this.refused = { count: this.refused.count + 1, lastAt: new Date().toISOString() };
    return alreadyInitialized(message.id, this.max, this.store.retryAfter);
  }

  /** Returns the session that a request names, or why it has none. */
  private sessionOf(caller: Caller): Session | Refusal {
    const id = sessionIdOf(caller.origin);
    if (id === undefined) return this.store.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
    const session = this.store.find(id, caller);
    if (session === undefined) return SESSION_NOT_FOUND;

    const version = caller.origin.headers['mcp-protocol-version'];
    const { supportedVersions } = session.sdk;
    if (version !== undefined && !supportedVersions.includes(String(version))) {
      return unsupportedVersion(String(version), supportedVersions);
    }
    return session;
  }
}

type RequestMessage = Extract<ClientMessage, { kind: 'request' }>;

function isInitialize(message: ClientMessage): message is RequestMessage {
  return message.kind === 'request' && message.message.method === 'initialize';
}

/** Returns a refusal if a message must not be passed to the SDK. */
function refusalOf(message: ClientMessage, sdk: SessionSdk): Refusal | undefined {
  // The SDK drops messages that it does not accept without an error, and the client would wait forever.
  if (!sdk.isMessage(message.message)) return INVALID_MESSAGE;
  const fault = isInitialize(message) && sdk.paramsFault(message.message);
  return fault ? invalidParams(message.message.id, fault) : undefined;
}

/** The revision that the SDK answers an `initialize` request with. */
function revisionOf({ params }: RequestMessage['message'], sdk: SessionSdk): string | undefined {
  const asked = sdk.supportedVersions.find((version) => version === params?.['protocolVersion']);
  return asked ?? sdk.supportedVersions[0];
}

function sessionIdOf({ headers }: Caller['origin']): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}
