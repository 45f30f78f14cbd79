import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../calls/caller.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { ClientMessage, JsonObject, RequestId } from '../../messages/json-rpc.js';
import type { Reply } from '../../messages/reply.js';
import type { Operations } from '../../operations/operations.js';
import type { ResolvedResume } from '../../options/resume-options.js';
import { RESUMABLE_SINCE, SessionStreams } from '../streams/session-streams.js';
import { cancelledBy, InFlightRequests } from './in-flight-requests.js';
import { RequestHandler } from './request-handler.js';
import type { FastRequest } from './session-fast-path.js';
import type { SessionPeer } from './session-peer.js';
import { SessionRecord } from './session-record.js';
import type { SessionSdk, SessionServer } from './session-sdk.js';
import { SessionSettings } from './session-settings.js';
import type { SessionShare } from './session-share.js';
import { type MessageSink, SessionTransport } from './session-transport.js';

/** What a session is made of. */
export interface SessionSetup {
  /** The owner of the session, see `session-registry.ts`. */
  readonly principal: string;
  /** The revision of MCP that was negotiated. */
  readonly revision: string | undefined;
  readonly sdk: SessionSdk;
  readonly operations: Operations;
  /** Undefined: the session lives in this process only. */
  readonly share: SessionShare | undefined;
  readonly resume: ResolvedResume | undefined;
}

/** The message of a POST. */
interface Posted {
  readonly client: ClientMessage;
  /** The request, if it can be answered without the SDK. */
  readonly fast: FastRequest | undefined;
  /** Id of its event stream, if the client can resume it. */
  readonly stream: string | undefined;
}

/** One client of the revisions up to 2025-11-25, from `initialize` to DELETE. */
export class Session {
  readonly id: string;
  readonly principal: string;
  readonly revision: string | undefined;
  readonly sdk: SessionSdk;
  /** By `performance.now()`. */
  readonly openedAt = performance.now();
  readonly record = new SessionRecord();
  readonly settings: SessionSettings;
  readonly streams: SessionStreams;
  /** The running requests. */
  readonly requests: InFlightRequests;
  private readonly share: SessionShare | undefined;
  private readonly leaving = new AbortController();
  /** Aborts when the client can no longer be asked. */
  readonly unreachable: AbortSignal = this.leaving.signal;
  private readonly transport: SessionTransport;
  private readonly server: SessionServer;
  private readonly handler: RequestHandler;
  /** Set while the session is restored. */
  private onRestored: (() => void) | undefined;
  /** When the client last sent a message that has no answer, by `performance.now()`. */
  private lastSign = performance.now();

  constructor({ principal, revision, sdk, operations, share, resume }: SessionSetup) {
    const id = share?.id ?? randomUUID();
    this.id = id;
    this.principal = principal;
    this.revision = revision;
    this.sdk = sdk;
    this.share = share;
    this.settings = new SessionSettings(share);
    this.streams = new SessionStreams(
      id,
      (revision ?? '') < RESUMABLE_SINCE ? undefined : resume,
      share,
    );
    this.requests = new InFlightRequests(id, share && ((request) => share.left(request)));
    const sink: MessageSink = {
      answer: (request, json) =>
        this.onRestored ? this.onRestored() : this.requests.answer(request, json),
      push: (related, json) =>
        related === undefined
          ? this.streams.push(json)
          : this.requests.get(related)?.reply.push(json),
    };
    this.transport = new SessionTransport(id, sink, share?.process);
    this.server = sdk.createServer(this);
    this.handler = new RequestHandler({
      inFlight: this.requests,
      settings: this.settings,
      client: this.server.client,
      tools: operations.tools,
      sdk,
      transport: this.transport,
    });
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

  /** The client of a running request, for the SDK's handlers. */
  peerOf(id: RequestId): SessionPeer | undefined {
    const request = this.requests.get(id);
    return request && this.handler.peerOf(request);
  }

  /** Notifies the client that a resource changed, if it subscribed to it. */
  resourceUpdated(uri: string): void {
    if (!this.settings.subscribesTo(uri)) return;
    // A client without an open stream misses the notification.
    this.server.sendResourceUpdated({ uri }).catch(() => undefined);
  }

  get client(): McpClientInfo | undefined {
    return this.server.client.info;
  }

  /** When the session became idle, by `performance.now()`; undefined while a stream or a call is open. */
  get idleSince(): number | undefined {
    const { idleSince } = this.requests;
    if (idleSince === undefined || this.streams.isOpen) return undefined;
    return Math.max(idleSince, this.lastSign, this.streams.closedAt);
  }

  /** Handles the message of a POST and answers it. */
  receive({ client, fast, stream }: Posted, caller: Caller, reply: Reply): void {
    if (client.kind === 'request') {
      this.record.received(client.message, this.sdk.supportedVersions);
      const request = this.handler.begin(client.message, caller, reply);
      if (!request) return;
      if (stream !== undefined) this.streams.events?.begin(stream, client.message.id, reply);
      this.handler.answer(request, fast);
      return;
    }
    this.touch();
    const cancelled = cancelledBy(client);
    if (cancelled !== undefined) this.requests.cancel(cancelled);
    this.transport.receive(client.message as JSONRPCMessage);
    reply.accept(202);
  }

  /** A request that was admitted does not run, because its client has left. */
  abandon({ kind, message }: ClientMessage, stream: string | undefined): void {
    if (kind === 'request') this.share?.left(message.id);
    if (stream !== undefined) this.share?.events.append({ stream, seq: 1, json: '', last: true });
  }

  /** Counts the session as used now. */
  touch(): void {
    this.lastSign = performance.now();
  }

  /** Passes the client's answer to a question on. Another process received it. */
  answered(message: JsonObject): void {
    this.transport.receive(message as unknown as JSONRPCMessage);
  }

  /** Sends a keep-alive comment on every open stream. */
  keepAlive(): void {
    this.streams.keepAlive();
    this.requests.keepAlive();
  }

  /**
   * Ends the stream of `listen()` and the questions to the client, and waits for running requests.
   * @param limitMs maximum milliseconds to wait
   */
  async drain(limitMs: number): Promise<void> {
    this.streams.end();
    this.leaving.abort(new Error('the server is shutting down'));
    await this.requests.answered(limitMs);
  }

  /** Ends every stream, and answers running calls with an error that contains the reason. */
  async close(reason: string): Promise<void> {
    this.requests.end(reason);
    this.streams.end();
    await this.server.close();
  }
}
