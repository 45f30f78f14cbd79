import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../calls/caller.js';
import type { LogLevel } from '../calls/peer.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonObject,
  type JsonRpcRequest,
  type RequestId,
} from '../messages/json-rpc.js';
import { Notifications } from '../messages/notifications.js';
import { duplicateId } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import type { McpClientInfo } from '../mcp.definitions.js';
import type { Operations } from '../operations/operations.js';
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.js';
import { fastAnswer, type FastRequest } from './session-fast-path.js';
import { SessionRecord } from './session-record.js';
import { SessionPeer } from './session-peer.js';
import type { SessionSdk, SessionServer } from './session-sdk.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from './session-share.js';
import { type MessageSink, SessionTransport } from './session-transport.js';
import { StandaloneStream } from './standalone-stream.js';

/** The id of the request that a message cancels. */
export function cancelledBy({ kind, message }: ClientMessage): RequestId | undefined {
  if (kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** One client of the revisions up to 2025-11-25, from `initialize` to DELETE. */
export class Session {
  readonly id: string;
  /** By `performance.now()`. */
  readonly openedAt = performance.now();
  /** The revision of MCP that was negotiated. */
  revision: string | undefined;
  /** URIs of the resources that the client subscribed to. */
  readonly subscriptions = new Set<string>();
  /** By default a client gets every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  readonly record = new SessionRecord();
  private readonly logger = new Logger('McpModule');
  private readonly leaving = new AbortController();
  private readonly inFlight: InFlightRequests;
  private readonly transport: SessionTransport;
  private readonly server: SessionServer;
  private readonly standalone: StandaloneStream;
  /** Set while the session is restored. */
  private onRestored: (() => void) | undefined;
  /** When the client last sent a message that has no answer, by `performance.now()`. */
  private lastSign = performance.now();

  /**
   * @param principal the owner of the session, see `session-registry.ts`
   * @param share undefined: the session lives in this process only
   */
  constructor(
    readonly principal: string,
    readonly sdk: SessionSdk,
    private readonly operations: Operations,
    private readonly share?: SessionShare,
  ) {
    this.id = share?.id ?? randomUUID();
    this.inFlight = new InFlightRequests(this.id, share && ((id) => share.left(id)));
    this.standalone = new StandaloneStream(this.id, share && (() => share.unlistened()));
    const sink: MessageSink = {
      answer: (id, json) => (this.onRestored ? this.onRestored() : this.inFlight.answer(id, json)),
      push: (related, json) => {
        const stream = related === undefined ? this.standalone : this.inFlight.get(related)?.reply;
        stream?.push(json);
      },
    };
    this.transport = new SessionTransport(this.id, sink, share?.process);
    this.server = sdk.createServer(this);
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  /**
   * Starts a session that another process opened.
   * @param params of its `initialize` request
   */
  async restore(params: JsonObject): Promise<void> {
    await this.start();
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params } as const;
    this.record.received(message, this.sdk.supportedVersions);
    await new Promise<void>((resolve) => {
      this.onRestored = resolve;
      this.transport.receive(message);
    });
    this.onRestored = undefined;
  }

  async setLogLevel(level: LogLevel): Promise<void> {
    await this.share?.setLogLevel(level);
    this.logLevel = level;
  }

  /** Returns false if the session has `MOST_SUBSCRIPTIONS`. */
  async subscribe(uri: string): Promise<boolean> {
    if (this.share) return this.share.subscribe(uri);
    if (this.subscriptions.size >= MOST_SUBSCRIPTIONS) return false;
    this.subscriptions.add(uri);
    return true;
  }

  async unsubscribe(uri: string): Promise<void> {
    this.subscriptions.delete(uri);
    await this.share?.unsubscribe(uri);
  }

  /** Aborts when the client can no longer be asked. */
  get unreachable(): AbortSignal {
    return this.leaving.signal;
  }

  /** The client of a running request, for the SDK's handlers. */
  peerOf(id: RequestId): SessionPeer | undefined {
    const request = this.inFlight.get(id);
    return request && this.peerOfRequest(request);
  }

  /** Notifies the client that a resource changed, if it subscribed to it. */
  resourceUpdated(uri: string): void {
    if (!this.subscriptions.has(uri)) return;
    // A client without an open stream misses the notification.
    this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  get client(): McpClientInfo | undefined {
    return this.server.client.info;
  }

  /** Number of running requests. */
  get active(): number {
    return this.inFlight.size;
  }

  get isBusy(): boolean {
    return !this.inFlight.isEmpty;
  }

  /** When the session became idle, by `performance.now()`; undefined while a stream or a call is open. */
  get idleSince(): number | undefined {
    const { idleSince } = this.inFlight;
    if (idleSince === undefined || this.standalone.isOpen) return undefined;
    return Math.max(idleSince, this.lastSign, this.standalone.closedAt);
  }

  /**
   * Handles the message of a POST and answers it.
   * @param fast the request, if it can be answered without the SDK
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
    this.touch();
    const cancelled = cancelledBy(client);
    if (cancelled !== undefined) this.cancel(cancelled);
    this.transport.receive(client.message as JSONRPCMessage);
    reply.accept(202);
  }

  /** Counts the session as used now. */
  touch(): void {
    this.lastSign = performance.now();
  }

  /** True if a request runs in this process. */
  runs(id: RequestId): boolean {
    return this.inFlight.get(id) !== undefined;
  }

  cancel(id: RequestId): void {
    this.inFlight.cancel(id);
  }

  /** Passes the client's answer to a question on. Another process received it. */
  answered(message: JsonObject): void {
    this.transport.receive(message as unknown as JSONRPCMessage);
  }

  /** Sends a message on the stream of `listen()`. A client without one misses it. */
  push(json: string): void {
    this.standalone.push(json);
  }

  /** A request that was admitted does not run, because its client has left. */
  abandon({ kind, message }: ClientMessage): void {
    if (kind === 'request') this.share?.left(message.id);
  }

  /** Opens the stream for messages that belong to no request. */
  listen(reply: Reply): void {
    this.standalone.open(reply);
  }

  /** The stream of `listen()` was taken, but its client has left. */
  unlisten(): void {
    this.share?.unlistened();
  }

  /** Sends a keep-alive comment on every open stream. */
  keepAlive(): void {
    this.standalone.keepAlive();
    this.inFlight.keepAlive();
  }

  /**
   * Ends the stream of `listen()` and the questions to the client, and waits for running requests.
   * @param limitMs maximum milliseconds to wait
   */
  async drain(limitMs: number): Promise<void> {
    this.standalone.end();
    this.leaving.abort(new Error('the server is shutting down'));
    await this.inFlight.answered(limitMs);
  }

  /** Ends every stream, and answers running calls with an error that contains the reason. */
  async close(reason: string): Promise<void> {
    this.inFlight.end(reason);
    this.standalone.end();
    await this.server.close();
  }

  private receiveRequest(
    message: JsonRpcRequest,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): void {
    const { id } = message;
    this.record.received(message, this.sdk.supportedVersions);
    if (this.inFlight.get(id) !== undefined) {
      reply.refuse(duplicateId(id));
      return;
    }
    caller.watch?.from(this.server.client.info);
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
        // After a cancellation, another request may have the id.
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
