import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonObject,
  type JsonRpcRequest,
  type RequestId,
  resultJson,
} from '../protocol/json-rpc.js';
import type { SessionProtocol } from '../protocol/session.server.js';
import { type ToolCall, type ToolCaller, unknownTool } from '../protocol/tool.caller.js';
import { EventStream } from './event-stream.js';
import { accept, duplicateId, refuse, STREAM_CONFLICT } from './http.answers.js';
import { onceClosed } from './once-closed.js';
import type { PlainToolRequest } from './plain-tool-request.js';
import { SessionTransport } from './session.transport.js';

/** A request under way, the stream its answer goes to, and the call it made where it is one. */
interface Pending {
  readonly request: IncomingMessage;
  readonly stream: EventStream;
  call: ToolCall | undefined;
}

/** One client of the revisions up to 2025-11-25, from `initialize` to DELETE. */
export class Session {
  readonly id = randomUUID();
  private readonly logger = new Logger('McpModule');
  private readonly pending = new Map<RequestId, Pending>();
  private readonly transport: SessionTransport;
  private readonly server: Server;
  private standalone: EventStream | undefined;

  /** @param principal who opened the session, see `session.store.ts` */
  constructor(
    readonly principal: string,
    protocol: SessionProtocol,
    private readonly tools: ToolCaller,
  ) {
    this.transport = new SessionTransport(this.id, {
      answer: (id, json) => this.answer(id, json),
      push: (related, json) => {
        const stream = related === undefined ? this.standalone : this.pending.get(related)?.stream;
        stream?.send(json);
      },
    });
    this.server = protocol.createServer((id) => this.pending.get(id)?.request);
  }

  async start(): Promise<void> {
    await this.server.connect(this.transport);
  }

  get isBusy(): boolean {
    return this.pending.size > 0;
  }

  /**
   * Takes a message that came by POST and sees to its answer.
   * @param plain what of it can be answered without the SDK
   */
  receive(
    client: ClientMessage,
    plain: PlainToolRequest | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (client.kind === 'request') {
      this.receiveRequest(client.message, plain, request, response);
      return;
    }
    if (client.kind === 'notification' && client.message.method === 'notifications/cancelled') {
      this.cancel(client.message.params);
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
      if (this.standalone === stream) this.standalone = undefined;
    });
    stream.open();
  }

  /** Keeps every open stream from being taken for dead. */
  keepAlive(): void {
    this.standalone?.keepAlive();
    for (const { stream } of this.pending.values()) stream.keepAlive();
  }

  /** Ends every call and every stream. */
  async close(): Promise<void> {
    for (const pending of this.pending.values()) {
      pending.call?.abort();
      pending.stream.end();
    }
    this.pending.clear();
    this.standalone?.end();
    await this.server.close();
  }

  private receiveRequest(
    message: JsonRpcRequest,
    plain: PlainToolRequest | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const { id } = message;
    if (this.pending.has(id)) {
      refuse(response, duplicateId(id));
      return;
    }
    const pending: Pending = {
      request,
      stream: new EventStream(response, this.id),
      call: undefined,
    };
    this.pending.set(id, pending);
    onceClosed(response, () => {
      if (this.pending.get(id) !== pending) return;
      this.pending.delete(id);
      pending.call?.abort();
    });

    if (plain === undefined) {
      this.transport.onmessage?.(message);
    } else if (plain.method === 'tools/list') {
      this.answer(id, resultJson(id, this.tools.listJson));
    } else {
      this.callTool(id, plain, pending).catch((error: unknown) => {
        this.logger.error(`A call of "${plain.name}" failed`, error);
        this.answer(id, errorJson(id, ErrorCode.InternalError, 'Internal error'));
      });
    }
  }

  private async callTool(
    id: RequestId,
    { name, args }: Extract<PlainToolRequest, { method: 'tools/call' }>,
    pending: Pending,
  ): Promise<void> {
    const call = this.tools.call(name, args, pending.request);
    if (call === undefined) {
      this.answer(id, errorJson(id, ErrorCode.InvalidParams, unknownTool(name)));
      return;
    }
    pending.call = call;
    this.answer(id, resultJson(id, JSON.stringify(await call.result)));
  }

  private answer(id: RequestId, json: string): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    pending.stream.end(json);
  }

  /** A cancelled request is owed no answer (MCP 2025-11-25, Cancellation). */
  private cancel(params: JsonObject | undefined): void {
    const id = params?.['requestId'] as RequestId;
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    pending.call?.abort();
    pending.stream.end();
  }
}
