import { randomUUID } from 'node:crypto';
import type { PanelSession } from '@fledge/core/packages';
import type { Caller } from '../../../call/caller.js';
import { principalIn } from '../../../call/caller-key.js';
import type { McpClientInfo } from '../../../../mcp.definitions.js';
import type { ClientMessage, JsonObject, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import { duplicateId } from '../../../protocol/refusals.js';
import type { Reply } from '../../../protocol/reply.js';
import { sessionKeyOf } from '../../../observe/session-key.js';
import type { ListName } from '../../../methods/local-items.js';
import { serveRequest } from '../../../methods/serve-request.js';
import type { ResolvedResume } from '../../../../options/resume-options.js';
import { RESUMABLE_SINCE, SessionStreams } from '../streams/session-streams.js';
import { Questions } from './questions.js';
import type { SessionProtocol } from './session-methods.js';
import {
  cancelledBy,
  InFlightRequests,
  type RequestSession,
  SessionRequest,
} from './session-requests.js';
import { negotiatedRevision } from './session-revisions.js';
import { SessionSettings } from './session-settings.js';
import type { SessionShare } from './session-share.js';

export interface SessionSetup {
  /** The owner of the session: see `sessionOwner()`. */
  readonly principal: string;
  /** The parameters of `initialize`. Undefined over stdio, where a client may omit the request. */
  readonly client: JsonObject | undefined;
  readonly protocol: SessionProtocol;
  /** Undefined if the session is not shared. */
  readonly share: SessionShare | undefined;
  readonly resume: ResolvedResume | undefined;
}

/** A client of a protocol version up to 2025-11-25. Exists from `initialize` to DELETE. */
export class Session implements RequestSession {
  readonly id: string;
  readonly principal: string;
  /** Start time by `performance.now()`. */
  readonly openedAt = performance.now();
  readonly settings: SessionSettings;
  readonly streams: SessionStreams;
  readonly requests: InFlightRequests;
  readonly questions: Questions;
  /** The negotiated protocol version. */
  revision = '';
  client: McpClientInfo | undefined;
  capabilities: JsonObject = {};
  private readonly protocol: SessionProtocol;
  private readonly share: SessionShare | undefined;
  /** Number of tool calls. */
  private calls = 0;
  /** Time when the session was last marked as used, by `performance.now()`. */
  private lastSign = performance.now();

  constructor({ principal, client, protocol, share, resume }: SessionSetup) {
    const id = share?.id ?? randomUUID();
    this.id = id;
    this.principal = principal;
    this.protocol = protocol;
    this.share = share;
    if (client) this.introduce(client);
    this.settings = new SessionSettings(share);
    const canResume = this.revision >= RESUMABLE_SINCE;
    this.streams = new SessionStreams(id, canResume ? resume : undefined, share);
    this.requests = new InFlightRequests(id, share && ((request) => share.left(request)));
    this.questions = new Questions(protocol.operations.answerFault, share?.process);
  }

  introduce(params: JsonObject): void {
    this.revision = negotiatedRevision(params);
    this.client = params['clientInfo'] as McpClientInfo;
    this.capabilities = params['capabilities'] as JsonObject;
  }

  /** Called when the resource has changed. Does nothing without a subscription. */
  resourceUpdated(uri: string): void {
    if (!this.settings.subscribesTo(uri)) return;
    // A client without an open stream does not receive the notification.
    const method = 'notifications/resources/updated';
    this.streams.push(JSON.stringify({ jsonrpc: '2.0', method, params: { uri } }));
  }

  listChanged(list: ListName): void {
    const method = `notifications/${list}/list_changed`;
    this.streams.push(JSON.stringify({ jsonrpc: '2.0', method }));
  }

  /** Time by `performance.now()`. Undefined while a stream or a call is open. */
  get idleSince(): number | undefined {
    const { idleSince } = this.requests;
    if (idleSince === undefined || this.streams.isOpen) return undefined;
    return Math.max(idleSince, this.lastSign, this.streams.closedAt);
  }

  /** For the panel. The session id is omitted, because only the client may know the id. */
  get shown(): PanelSession {
    const { id, principal, client, idleSince = performance.now() } = this;
    const user = principalIn(principal);
    return {
      key: sessionKeyOf(id),
      ...(client && { client: client.name, version: client.version }),
      revision: this.revision,
      // Otherwise `principal` may be a digest of credentials, which must not be shown.
      ...(user !== undefined && { user }),
      calls: this.calls,
      active: this.requests.size,
      openedAt: isoTime(this.openedAt),
      lastAt: isoTime(idleSince),
    };
  }

  /** @param stream id of the event stream, if the client can resume the stream */
  receive(message: ClientMessage, stream: string | undefined, caller: Caller, reply: Reply): void {
    if (message.kind === 'request') {
      this.serve(message.message, stream, caller, reply);
      return;
    }
    this.touch();
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.requests.cancel(cancelled);
    if (message.kind === 'response') this.questions.answered(message.message);
    reply.accept(202);
  }

  /**
   * Releases a request that was accepted but does not run, because the client has disconnected or
   * the server is closing.
   */
  abandon({ kind, message }: ClientMessage, stream: string | undefined): void {
    if (kind === 'request') this.share?.left(message.id);
    if (stream !== undefined) this.dropStream(stream);
  }

  dropStream(stream: string): void {
    this.share?.events.append({ stream, seq: 1, json: '', last: true });
  }

  touch(): void {
    this.lastSign = performance.now();
  }

  keepAlive(): void {
    this.streams.keepAlive();
    this.requests.keepAlive();
  }

  /** Ends the main stream and the questions. Waits at most `limitMs` for running requests. */
  async drain(limitMs: number): Promise<void> {
    this.streams.end();
    this.questions.end('the server is shutting down');
    await this.requests.answered(limitMs);
  }

  /** Each running call gets an error with the reason. */
  close(reason: string): void {
    this.requests.end(reason);
    this.streams.end();
    this.questions.end(reason);
  }

  private serve(
    message: JsonRpcRequest,
    stream: string | undefined,
    caller: Caller,
    reply: Reply,
  ): void {
    if (message.method === 'tools/call') this.calls += 1;
    if (this.requests.get(message.id) !== undefined) return reply.refuse(duplicateId(message.id));
    caller.watch?.from(this.client);
    const request = new SessionRequest(message, caller, reply, this, stream);
    this.requests.add(request);
    void serveRequest(request, this.protocol);
  }
}

/** @param time by `performance.now()` */
function isoTime(time: number): string {
  return new Date(performance.timeOrigin + time).toISOString();
}
