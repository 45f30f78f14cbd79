import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ClientMessage } from '../messages/json-rpc.js';
import type { SessionProtocol } from '../sessions/session-sdk.js';
import type { Operations } from '../operations/operations.js';
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
import { refuse } from './http-reply.js';
import { fastRequestOf } from '../sessions/session-fast-path.js';
import type { HttpCaller } from './http-caller.js';
import { isGone } from './http2.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';

/** Serves clients of the revisions up to 2025-11-25, each in its session. */
export class SessionLeg {
  private readonly sessions: SessionStore;
  private readonly max: number;
  private closed = false;

  /** @param protocol loaded with the first message that the SDK has to judge */
  constructor(
    options: ResolvedMcpOptions,
    private readonly protocol: OnDemand<SessionProtocol>,
    service: Operations,
  ) {
    this.sessions = new SessionStore(options.sessions, service);
    this.max = options.sessions.max;
  }

  /** Sessions open now. */
  get size(): number {
    return this.sessions.size;
  }

  async post(message: ClientMessage, caller: HttpCaller, response: ServerResponse): Promise<void> {
    const plain = fastRequestOf(message);
    const protocol = plain ? undefined : (this.protocol.loaded ?? (await this.protocol.get()));
    if (protocol) {
      // What may have happened while it was loaded.
      if (isGone(response)) return;
      const refusal = this.closed ? SHUTTING_DOWN : refusalOf(message, protocol);
      if (refusal) return refuse(response, refusal);
    }
    const found =
      protocol && isInitialize(message) && protocol.isInitialize(message.message)
        ? await this.initialize(message, caller, protocol)
        : this.sessionOf(caller);
    if ('status' in found) return refuse(response, found);
    found.receive(message, plain, caller, response);
  }

  get(caller: HttpCaller, response: ServerResponse): void {
    if (!caller.origin.headers.accept?.includes('text/event-stream')) {
      return refuse(response, NOT_ACCEPTABLE_GET);
    }
    const found = this.sessionOf(caller);
    if ('status' in found) return refuse(response, found);
    found.listen(response);
  }

  async delete(caller: HttpCaller, response: ServerResponse): Promise<void> {
    const found = this.sessionOf(caller);
    if ('status' in found) return refuse(response, found);
    await this.sessions.end(found);
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  }

  resourceUpdated(uri: string): void {
    this.sessions.resourceUpdated(uri);
  }

  /** @param limitMs how long calls under way are waited for */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.protocol.settled();
    await this.sessions.endAll(limitMs);
  }

  /**
   * The new session of an `initialize`, or why there is none: a server has `sessions.max`. A client has
   * one: that of the id it sends is replaced.
   */
  private async initialize(
    { message }: RequestMessage,
    caller: HttpCaller,
    protocol: SessionProtocol,
  ): Promise<Session | Refusal> {
    const id = sessionIdOf(caller.origin);
    const former = id === undefined ? undefined : this.sessions.find(id, caller);
    // Its place is free at once, also while it closes.
    const closing = former && this.sessions.end(former);
    const session = await this.sessions.open(caller, protocol);
    await closing;
    if (session) return session;
    const { max, sessions } = this;
    return alreadyInitialized(message.id, max, sessions.retryAfter);
  }

  /** The session a request names, or why it has none. */
  private sessionOf(caller: HttpCaller): Session | Refusal {
    const id = sessionIdOf(caller.origin);
    if (id === undefined) return this.sessions.size === 0 ? NOT_INITIALIZED : SESSION_REQUIRED;
    const session = this.sessions.find(id, caller);
    if (session === undefined) return SESSION_NOT_FOUND;

    const version = caller.origin.headers['mcp-protocol-version'];
    const { supportedVersions } = session.protocol;
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
function refusalOf(message: ClientMessage, protocol: SessionProtocol): Refusal | undefined {
  // The SDK drops what it does not take without a word: its sender would wait for ever.
  if (!protocol.isMessage(message.message)) return INVALID_MESSAGE;
  const fault = isInitialize(message) && protocol.paramsFault(message.message);
  return fault ? invalidParams(message.message.id, fault) : undefined;
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}
