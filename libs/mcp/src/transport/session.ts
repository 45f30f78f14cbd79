import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonRpcRequest,
  type RequestId,
  resultJson,
  resultParts,
} from '../messages/json-rpc.js';
import type { LogLevel } from '../calls/peer.js';
import { Notifications } from '../messages/notifications.js';
import type { Operations } from '../operations/operations.js';
import { SessionPeer } from '../sessions/session-peer.js';
import type { SessionProtocol, SessionServer } from '../sessions/session-sdk.js';
import { unknownTool } from '../operations/tool-caller.js';
import { EventStream, onceClosed } from './event-stream.js';
import { accept, refuse } from './http-reply.js';
import { duplicateId, STREAM_CONFLICT } from '../messages/refusals.js';
import type { HttpCaller } from './http-caller.js';
import { type PendingRequest, PendingRequests } from './pending.requests.js';
import type { FastRequest } from '../sessions/session-fast-path.js';
import { SessionTransport } from './session.transport.js';

/** One client of the revisions up to 2025-11-25, from `initialize` to DELETE. */
export class Session {
  readonly id = randomUUID();
  /** URIs whose changes the client wants to hear of. */
  readonly subscriptions = new Set<string>();
  /** Until the client says otherwise it gets every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  private readonly logger = new Logger('McpModule');
  private readonly leaving = new AbortController();
  private readonly pending = new PendingRequests(this.id);
  private readonly transport: SessionTransport;
  private readonly server: SessionServer;
  private standalone: EventStream | undefined;
  /** When the client last sent a message that has no answer, or closed the stream of `listen()`. */
  private lastSign = performance.now();

  /** @param principal who opened the session, see `session-store.ts` */
  constructor(
    readonly principal: string,
    readonly protocol: SessionProtocol,
    private readonly service: Operations,
  ) {
    this.transport = new SessionTransport(this.id, {
      answer: (id, json) => this.pending.answer(id, json),
      push: (related, json) => {
        const stream = related === undefined ? this.standalone : this.pending.get(related)?.stream;
        stream?.send(json);
      },
    });
    this.server = protocol.createServer(this);
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /** Fires when the client can no longer be asked. */
  get unreachable(): AbortSignal {
    return this.leaving.signal;
  }

  /** Who sent a request that is under way, for the SDK's handlers. */
  contextOf(id: RequestId): { caller: HttpCaller; peer: SessionPeer } | undefined {
    const pending = this.pending.get(id);
    return pending && { caller: pending.caller, peer: this.peerOf(pending) };
  }

  /** Tells the client that a resource changed, where it asked for that. */
  resourceUpdated(uri: string): void {
    if (!this.subscriptions.has(uri)) return;
    // A client that does not listen misses it, which is no failure.
    this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  get isBusy(): boolean {
    return !this.pending.isEmpty;
  }

  /** When the session fell idle, by `performance.now()`; undefined while a stream or a call is open. */
  get idleSince(): number | undefined {
    const { idleSince } = this.pending;
    if (idleSince === undefined || this.standalone) return undefined;
    return Math.max(idleSince, this.lastSign);
  }

  /**
   * Takes a message that came by POST and sees to its answer.
   * @param plain what of it can be answered without the SDK
   */
  receive(
    client: ClientMessage,
    plain: FastRequest | undefined,
    caller: HttpCaller,
    response: ServerResponse,
  ): void {
    if (client.kind === 'request') {
      this.receiveRequest(client.message, plain, caller, response);
      return;
    }
    this.lastSign = performance.now();
    if (client.kind === 'notification' && client.message.method === 'notifications/cancelled') {
      this.pending.cancel(client.message.params?.['requestId'] as RequestId);
    }
    this.transport.onmessage?.(client.message as JSONRPCMessage);
    accept(response);
  }

  /** Opens the stream for messages that belong to no request; a session has one. */
  listen(response: ServerResponse): void {
    if (this.standalone?.isOpen) {
      refuse(response, STREAM_CONFLICT);
      return;
    }
    const stream = new EventStream(response, this.id);
    this.standalone = stream;
    onceClosed(response, () => {
      this.lastSign = performance.now();
      if (this.standalone === stream) this.standalone = undefined;
    });
    stream.open();
  }

  /** Keeps every open stream from being taken for dead. */
  keepAlive(): void {
    this.standalone?.keepAlive();
    this.pending.keepAlive();
  }

  /**
   * Ends the stream of `listen()` and the questions to the client, and waits for the answers under way.
   * @param limitMs milliseconds to wait at most
   */
  async drain(limitMs: number): Promise<void> {
    this.standalone?.end();
    this.leaving.abort(new Error('the server is shutting down'));
    await this.pending.answered(limitMs);
  }

  /** Ends every stream, and every call with an error that gives the reason. */
  async close(reason: string): Promise<void> {
    this.pending.end(reason);
    this.standalone?.end();
    await this.server.close();
  }

  private receiveRequest(
    message: JsonRpcRequest,
    plain: FastRequest | undefined,
    caller: HttpCaller,
    response: ServerResponse,
  ): void {
    const { id } = message;
    if (this.pending.get(id) !== undefined) {
      refuse(response, duplicateId(id));
      return;
    }
    const pending = this.pending.add(message, caller, response);
    const fault = plain === undefined ? this.protocol.paramsFault(message) : undefined;
    if (fault !== undefined) {
      this.pending.answer(id, errorJson(id, ErrorCode.InvalidParams, fault));
      return;
    }
    if (plain === undefined) {
      this.transport.onmessage?.(message);
      return;
    }
    this.answerPlain(id, plain, pending).catch((error: unknown) => {
      this.logger.error(`${message.method} failed`, error);
      this.pending.answer(id, errorJson(id, ErrorCode.InternalError, 'Internal error'));
    });
  }

  private async answerPlain(
    id: RequestId,
    plain: FastRequest,
    pending: PendingRequest,
  ): Promise<void> {
    const { tools } = this.service;
    const { caller } = pending;
    if (plain.method === 'tools/list') {
      this.pending.answer(id, ...resultParts(id, await tools.listJson(caller)));
      return;
    }
    const call = await tools.call(plain.name, plain.args, caller, this.peerOf(pending));
    if (call === undefined) {
      this.pending.answer(id, errorJson(id, ErrorCode.InvalidParams, unknownTool(plain.name)));
      return;
    }
    pending.call = call;
    // The client may have gone while it was decided whether it may see the tool.
    if (this.pending.get(id) !== pending) call.abort();
    this.pending.answer(id, resultJson(id, JSON.stringify(await call.result)));
  }

  private peerOf({ message, stream }: PendingRequest): SessionPeer {
    const meta = message.params?.['_meta'] as { progressToken?: RequestId } | undefined;
    const notifier = new Notifications(meta?.progressToken, this, stream);
    return new SessionPeer(this.server.client, message.id, notifier);
  }
}
