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
import type { ResolvedResume } from '../options/resume-options.js';
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.js';
import { fastAnswer, type FastRequest } from './session-fast-path.js';
import { SessionRecord } from './session-record.js';
import { SessionPeer } from './session-peer.js';
import { SessionEvents } from './session-events.js';
import type { SessionSdk, SessionServer } from './session-sdk.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from './session-share.js';
import { type MessageSink, SessionTransport } from './session-transport.js';
import { StandaloneStream } from './standalone-stream.js';

/** Clients of earlier revisions do not read events without data. */
export const RESUMABLE_SINCE = '2025-11-25';

/** The message of a POST. */
interface Posted {
  readonly client: ClientMessage;
  /** The request, if it can be answered without the SDK. */
  readonly fast: FastRequest | undefined;
  /** Id of its event stream, if the client can resume it. */
  readonly stream: string | undefined;
}

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
  private kept: SessionEvents | undefined;
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
    private readonly resume?: ResolvedResume,
  ) {
    this.id = share?.id ?? randomUUID();
    this.inFlight = new InFlightRequests(this.id, share && ((id) => share.left(id)));
    this.standalone = new StandaloneStream(this.id, share && (() => share.unlistened()));
    const sink: MessageSink = {
      answer: (id, json) => (this.onRestored ? this.onRestored() : this.inFlight.answer(id, json)),
      push: (related, json) => {
        if (related === undefined) this.push(json);
        else this.inFlight.get(related)?.reply.push(json);
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
    if (idleSince === undefined || this.standalone.isOpen || this.events?.isOpen) return undefined;
    return Math.max(idleSince, this.lastSign, this.standalone.closedAt);
  }

  /** Handles the message of a POST and answers it. */
  receive({ client, fast, stream }: Posted, caller: Caller, reply: Reply): void {
    if (client.kind === 'request') {
      const request = this.beginRequest(client.message, caller, reply);
      if (!request) return;
      if (stream !== undefined) this.events?.begin(stream, client.message.id, reply);
      this.answer(request, fast);
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

  /**
   * Sends a message on the stream of `listen()`. A client without one misses it.
   * @param seq its position, if another process gave it one
   */
  push(json: string, seq?: number): void {
    const { events } = this;
    if (!events) this.standalone.push(json);
    else if (seq === undefined) events.pushMain(json);
    else events.receive({ stream: events.main, seq, json, last: false });
  }

  /** The events of streams that the client can resume. Undefined if it cannot. */
  get events(): SessionEvents | undefined {
    if (!this.resume || (this.revision ?? '') < RESUMABLE_SINCE) return undefined;
    return (this.kept ??= new SessionEvents(this.id, this.resume, this.share?.events));
  }

  /** A request that was admitted does not run, because its client has left. */
  abandon({ kind, message }: ClientMessage, stream: string | undefined): void {
    if (kind === 'request') this.share?.left(message.id);
    if (stream !== undefined) this.share?.events.append({ stream, seq: 1, json: '', last: true });
  }

  /**
   * Opens the stream for messages that belong to no request.
   * @param takesOver closes the connection that has it
   */
  listen(reply: Reply, takesOver = false): void {
    this.standalone.open(reply, takesOver);
  }

  /** True while the stream of `listen()` is open in this process. */
  get isListening(): boolean {
    return this.standalone.isOpen;
  }

  /** The stream of `listen()` was taken, but its client has left. */
  unlisten(): void {
    this.share?.unlistened();
  }

  /** Sends a keep-alive comment on every open stream. */
  keepAlive(): void {
    this.standalone.keepAlive();
    this.events?.keepAlive();
    this.inFlight.keepAlive();
  }

  /**
   * Ends the stream of `listen()` and the questions to the client, and waits for running requests.
   * @param limitMs maximum milliseconds to wait
   */
  async drain(limitMs: number): Promise<void> {
    this.standalone.end();
    this.events?.end();
    this.leaving.abort(new Error('the server is shutting down'));
    await this.inFlight.answered(limitMs);
  }

  /** Ends every stream, and answers running calls with an error that contains the reason. */
  async close(reason: string): Promise<void> {
    this.inFlight.end(reason);
    this.events?.end();
    this.standalone.end();
    await this.server.close();
  }

  /** Undefined if the id belongs to a running request: the second is refused. */
  private beginRequest(
    message: JsonRpcRequest,
    caller: Caller,
    reply: Reply,
  ): InFlightRequest | undefined {
    const { id } = message;
    this.record.received(message, this.sdk.supportedVersions);
    if (this.inFlight.get(id) !== undefined) {
      reply.refuse(duplicateId(id));
      return undefined;
    }
    caller.watch?.from(this.server.client.info);
    return this.inFlight.add(message, caller, reply);
  }

  private answer(request: InFlightRequest, fast: FastRequest | undefined): void {
    if (fast) {
      this.answerFast(fast, request);
      return;
    }
    const { message } = request;
    const fault = this.sdk.paramsFault(message);
    if (fault === undefined) this.transport.receive(message);
    else this.inFlight.answer(message.id, errorJson(message.id, ErrorCode.InvalidParams, fault));
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
