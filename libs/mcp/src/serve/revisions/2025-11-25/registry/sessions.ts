import { randomBytes } from 'node:crypto';
import { acceptedRanges, type PanelEndpointSessions } from '@fledge/core/packages';
import type { Caller } from '../../../call/caller.js';
import type { EndpointOptions } from '../../../../mcp.defaults.js';
import type { ClientMessage } from '../../../protocol/json-rpc.js';
import {
  alreadyInitialized,
  invalidParams,
  NOT_ACCEPTABLE_GET,
  NOT_INITIALIZED,
  type Refusal,
  SESSION_REQUIRED,
  SESSION_NOT_FOUND,
  SHUTTING_DOWN,
  unsupportedVersion,
} from '../../../protocol/refusals.js';
import type { Reply } from '../../../protocol/reply.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import { sessionKeyOf } from '../../../observe/session-key.js';
import type { Operations } from '../../../methods/operations.js';
import { listen } from './listen.js';
import { LocalSessions } from './local-sessions.js';
import type { Found, SessionRegistry } from './session-registry.js';
import { SharedSessions } from './shared-sessions.js';
import type { Session } from '../session/session.js';
import { type SessionProtocol, sessionProtocol } from '../session/session-methods.js';
import { SESSION_REVISIONS } from '../session/session-revisions.js';
import { RESUMABLE_SINCE } from '../streams/session-streams.js';

type RequestMessage = Extract<ClientMessage, { kind: 'request' }>;

/** Serves clients of protocol versions up to 2025-11-25. Each client has a session. */
export class Sessions {
  private closed = false;
  /** Clients rejected because `max` sessions were open, and the time of the last rejection. */
  private refused: { readonly count: number; readonly lastAt?: string } = { count: 0 };

  static async connect(options: EndpointOptions, operations: Operations): Promise<Sessions> {
    const { store } = options.sessions;
    const protocol = sessionProtocol(options, operations);
    const registry =
      store === undefined
        ? new LocalSessions(options.sessions, protocol)
        : await SharedSessions.connect(options, store, protocol);
    operations.onChange((list) => {
      for (const session of registry.sessions()) {
        // If several processes can resume streams, only the store can number the events. So this
        // process cannot send the message. The clients of these sessions are not notified.
        if (!registry.isShared || !session.streams.events) session.listChanged(list);
      }
    });
    return new Sessions(protocol, registry, options.sessions);
  }

  private constructor(
    private readonly protocol: SessionProtocol,
    private readonly registry: SessionRegistry,
    private readonly options: EndpointOptions['sessions'],
  ) {}

  get size(): number {
    return this.registry.size;
  }

  /** For the panel. Session ids are omitted. */
  get overview(): Omit<PanelEndpointSessions, 'path'> {
    const open = [...this.registry.sessions()].map(({ shown }) => shown);
    return { max: this.options.max, open, refused: this.refused };
  }

  /** Its running calls fail with an error. Returns false if no session has this key. */
  endByKey(key: string): boolean {
    for (const session of this.registry.sessions()) {
      if (sessionKeyOf(session.id) !== key) continue;
      const reason = 'The session was ended by the server';
      void this.registry.end(session, { reason, error: 'terminated' });
      return true;
    }
    return false;
  }

  /** @returns a promise if the message is `initialize`, or if sessions are shared */
  post(message: ClientMessage, caller: Caller, reply: Reply): void | Promise<void> {
    if (this.closed) return reply.refuse(SHUTTING_DOWN);
    if (message.kind === 'request' && message.message.method === 'initialize') {
      return this.initialize(message, caller, reply);
    }
    const stream = streamFor(message, caller, this.options.resume);
    const pass = (found: Session | Refusal) => {
      if ('status' in found) return reply.refuse(found);
      // The client may have disconnected, or the server may have closed, while the store was queried.
      if (!reply.isOpen || this.closed) {
        found.abandon(message, stream);
        return reply.isOpen ? reply.refuse(SHUTTING_DOWN) : undefined;
      }
      if (message.kind === 'request' || !this.registry.isShared) {
        return found.receive(message, stream, caller, reply);
      }
      return this.forward(found, message, caller, reply);
    };
    const found = this.sessionOf(caller, message, stream);
    return found instanceof Promise ? found.then(pass) : pass(found);
  }

  async get(caller: Caller, reply: Reply): Promise<void> {
    if (!asksForStream(caller.origin.headers.accept)) return reply.refuse(NOT_ACCEPTABLE_GET);
    const found = await this.sessionOf(caller, undefined, undefined);
    if ('status' in found) return reply.refuse(found);
    if (this.closed) return reply.refuse(SHUTTING_DOWN);
    reply.inSession(found.id);
    const refusal = await listen(found, this.registry, caller, reply);
    if (refusal) reply.refuse(refusal);
    // The server may have closed while the store was queried. Then nothing else ends the stream.
    else if (this.closed) reply.hangUp();
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
    await this.registry.close(limitMs);
  }

  /** Forwards a message that is not a request, if another process waits for it. */
  private async forward(
    session: Session,
    message: ClientMessage,
    caller: Caller,
    reply: Reply,
  ): Promise<void> {
    const forwarded = await this.registry.forward(session, message);
    if (forwarded === true) reply.accept(202);
    else if (forwarded) reply.refuse(forwarded);
    else session.receive(message, undefined, caller, reply);
  }

  /**
   * Opens a session, unless `sessions.max` is reached. If the `initialize` request contains the id
   * of a session of the same caller, the new session replaces that session.
   */
  private async initialize(client: RequestMessage, caller: Caller, reply: Reply): Promise<void> {
    const { message } = client;
    const fault = this.protocol.paramsFault(message);
    if (fault !== undefined) return reply.refuse(invalidParams(message.id, fault));
    const opened = await this.registry.open(message, caller, sessionIdOf(caller.origin));
    if ('status' in opened) return reply.refuse(opened);
    if ('retryAfter' in opened) {
      this.refused = { count: this.refused.count + 1, lastAt: new Date().toISOString() };
      return reply.refuse(alreadyInitialized(message.id, this.options.max, opened.retryAfter));
    }
    if (!reply.isOpen) return opened.abandon(client, undefined);
    opened.receive(client, undefined, caller, reply);
  }

  /** Returns a promise if sessions are shared. */
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

/**
 * Returns true if `Accept` contains `text/event-stream`. A wildcard is not enough: browsers that
 * open a page also send a wildcard, but browsers do not expect a stream.
 */
function asksForStream(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    acceptedRanges(accept).some(([type, weight]) => type === 'text/event-stream' && weight > 0)
  );
}

/** Returns a refusal if the session does not support the protocol version of the message. */
function servedTo(
  caller: Caller,
  message: ClientMessage | undefined,
  stream: string | undefined,
  session: Found,
): Session | Refusal {
  if (session === undefined) return SESSION_NOT_FOUND;
  if ('status' in session) return session;
  const version = caller.origin.headers['mcp-protocol-version'];
  if (version === undefined || SESSION_REVISIONS.includes(String(version))) return session;
  if (message) session.abandon(message, stream);
  return unsupportedVersion(String(version), SESSION_REVISIONS);
}

function sessionIdOf({ headers }: Caller['origin']): string | undefined {
  const id = headers['mcp-session-id'];
  return id === undefined || id === '' ? undefined : String(id);
}

/** Id for the event stream of a request. Undefined if the client cannot resume the stream. */
function streamFor(
  message: ClientMessage,
  { origin }: Caller,
  resume: ResolvedResume | undefined,
): string | undefined {
  if (!resume || message.kind !== 'request') return undefined;
  const version = String(origin.headers['mcp-protocol-version'] ?? '');
  return version < RESUMABLE_SINCE ? undefined : randomBytes(12).toString('base64url');
}
