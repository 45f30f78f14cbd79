import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../calls/caller.js';
import type { LogLevel } from '../calls/peer.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonRpcRequest,
  type RequestId,
} from '../messages/json-rpc.js';
import { Notifications } from '../messages/notifications.js';
import { duplicateId, STREAM_CONFLICT } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import type { Operations } from '../operations/operations.js';
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.js';
import { fastAnswer, type FastRequest } from './session-fast-path.js';
import { SessionPeer } from './session-peer.js';
import type { SessionSdk, SessionServer } from './session-sdk.js';
import { SessionTransport } from './session-transport.js';

/** One client of the revisions up to 2025-11-25, from `initialize` to DELETE. */
export class Session {
  readonly id = randomUUID();
  /** URIs whose changes the client wants to hear of. */
  readonly subscriptions = new Set<string>();
  /** Until the client says otherwise it gets every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  private readonly logger = new Logger('McpModule');
  private readonly leaving = new AbortController();
  private readonly inFlight = new InFlightRequests(this.id);
  private readonly transport: SessionTransport;
  private readonly server: SessionServer;
  private standalone: Reply | undefined;
  /** When the client last sent a message that has no answer, or closed the stream of `listen()`. */
  private lastSign = performance.now();

  /** @param principal who opened the session, see `session-store.ts` */
  constructor(
    readonly principal: string,
    readonly sdk: SessionSdk,
    private readonly operations: Operations,
  ) {
    this.transport = new SessionTransport(this.id, {
      answer: (id, json) => this.inFlight.answer(id, json),
      push: (related, json) => {
        const reply = related === undefined ? this.standalone : this.inFlight.get(related)?.reply;
        reply?.push(json);
      },
    });
    this.server = sdk.createServer(this);
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /** Fires when the client can no longer be asked. */
  get unreachable(): AbortSignal {
    return this.leaving.signal;
  }

  /** The client of a request that is under way, for the SDK's handlers. */
  peerOf(id: RequestId): SessionPeer | undefined {
    const request = this.inFlight.get(id);
    return request && this.peerOfRequest(request);
  }

  /** Tells the client that a resource changed, where it asked for that. */
  resourceUpdated(uri: string): void {
    if (!this.subscriptions.has(uri)) return;
    // A client that does not listen misses it, which is no failure.
    this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  get isBusy(): boolean {
    return !this.inFlight.isEmpty;
  }

  /** When the session fell idle, by `performance.now()`; undefined while a stream or a call is open. */
  get idleSince(): number | undefined {
    const { idleSince } = this.inFlight;
    if (idleSince === undefined || this.standalone) return undefined;
    return Math.max(idleSince, this.lastSign);
  }

  /**
   * Takes a message that came by POST and sees to its answer.
   * @param fast what of it can be answered without the SDK
   */
  receive(
    client: ClientMessage,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): void {
    if (client.kind === 'request') {
      this.receiveRequest(client.message, fast, caller, reply);
      return;
    }
    this.lastSign = performance.now();
    if (client.kind === 'notification' && client.message.method === 'notifications/cancelled') {
      this.inFlight.cancel(client.message.params?.['requestId'] as RequestId);
    }
    this.transport.onmessage?.(client.message as JSONRPCMessage);
    reply.accept(202);
  }

  /** Opens the stream for messages that belong to no request; a session has one. */
  listen(reply: Reply): void {
    if (this.standalone?.isOpen) {
      reply.refuse(STREAM_CONFLICT);
      return;
    }
    reply.inSession(this.id);
    this.standalone = reply;
    reply.onceClosed(() => {
      this.lastSign = performance.now();
      if (this.standalone === reply) this.standalone = undefined;
    });
    reply.listen();
  }

  /** Keeps every open stream from being taken for dead. */
  keepAlive(): void {
    this.standalone?.keepAlive();
    this.inFlight.keepAlive();
  }

  /**
   * Ends the stream of `listen()` and the questions to the client, and waits for the answers under way.
   * @param limitMs milliseconds to wait at most
   */
  async drain(limitMs: number): Promise<void> {
    this.standalone?.end();
    this.leaving.abort(new Error('the server is shutting down'));
    await this.inFlight.answered(limitMs);
  }

  /** Ends every stream, and every call with an error that gives the reason. */
  async close(reason: string): Promise<void> {
    this.inFlight.end(reason);
    this.standalone?.end();
    await this.server.close();
  }

  private receiveRequest(
    message: JsonRpcRequest,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): void {
    const { id } = message;
    if (this.inFlight.get(id) !== undefined) {
      reply.refuse(duplicateId(id));
      return;
    }
    const request = this.inFlight.add(message, caller, reply);
    if (fast) {
      this.answerFast(fast, request);
      return;
    }
    const fault = this.sdk.paramsFault(message);
    if (fault === undefined) this.transport.onmessage?.(message);
    else this.inFlight.answer(id, errorJson(id, ErrorCode.InvalidParams, fault));
  }

  private answerFast(fast: FastRequest, request: InFlightRequest): void {
    const { id, method } = request.message;
    fastAnswer(fast, id, this.operations.tools, this.peerOfRequest(request)).then(
      (json) => {
        // Its id may belong to another request by now.
        if (!request.isOver) this.inFlight.answer(id, ...json);
      },
      (error: unknown) => {
        this.logger.error(`${method} failed`, error);
        if (!request.isOver) {
          this.inFlight.answer(id, errorJson(id, ErrorCode.InternalError, 'Internal error'));
        }
      },
    );
  }

  private peerOfRequest(request: InFlightRequest): SessionPeer {
    const meta = request.message.params?.['_meta'] as { progressToken?: RequestId } | undefined;
    const notifications = new Notifications(meta?.progressToken, this, request.reply);
    return new SessionPeer(this.server.client, request, notifications);
  }
}
