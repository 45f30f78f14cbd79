import type { Caller } from '../calls/caller.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
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
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import { fastRequestOf } from './session-fast-path.js';
import type { SessionSdk } from './session-sdk.js';
import { SessionStore } from './session-store.js';
import type { Session } from './session.js';

/** Serves clients of the revisions up to 2025-11-25, each in its session. */
export class Sessions {
  private readonly store: SessionStore;
  private readonly max: number;
  private closed = false;

  /** @param sdk loaded with the first message that it has to judge */
  constructor(
    options: ResolvedMcpOptions,
    private readonly sdk: OnDemand<SessionSdk>,
    operations: Operations,
  ) {
    this.store = new SessionStore(options.sessions, operations);
    this.max = options.sessions.max;
  }

  /** Sessions open now. */
  get size(): number {
    return this.store.size;
  }

  /** @returns a promise where the SDK takes part */
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

  /** @param limitMs how long calls under way are waited for */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.sdk.settled();
    await this.store.endAll(limitMs);
  }

  private async postToSdk(message: ClientMessage, caller: Caller, reply: Reply): Promise<void> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    // What may have happened while it was loaded.
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
   * The new session of an `initialize`, or why there is none: a server has `sessions.max`. A client has
   * one: that of the id it sends is replaced.
   */
  private async initialize(
    { message }: RequestMessage,
    caller: Caller,
    sdk: SessionSdk,
  ): Promise<Session | Refusal> {
    const id = sessionIdOf(caller.origin);
    const former = id === undefined ? undefined : this.store.find(id, caller);
    // Its place is free at once, also while it closes.
    const closing = former && this.store.end(former);
    const session = await this.store.open(caller, sdk);
    await closing;
    if (session) return session;
    return alreadyInitialized(message.id, this.max, this.store.retryAfter);
  }

  /** The session a request names, or why it has none. */
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

/** Why the SDK cannot be given a message. */
function refusalOf(message: ClientMessage, sdk: SessionSdk): Refusal | undefined {
  // The SDK drops what it does not take without a word: its sender would wait for ever.
  if (!sdk.isMessage(message.message)) return INVALID_MESSAGE;
  const fault = isInitialize(message) && sdk.paramsFault(message.message);
  return fault ? invalidParams(message.message.id, fault) : undefined;
}

function sessionIdOf({ headers }: Caller['origin']): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}
