import type { Caller } from '../../calls/caller.js';
import type { Abortable } from '../../calls/peer.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonRpcRequest,
  type RequestId,
} from '../../messages/json-rpc.js';
import type { BodyParts, Reply } from '../../messages/reply.js';
import { UnderWay } from '../../messages/under-way.js';

/** The id of the request that a message cancels. */
export function cancelledBy({ kind, message }: ClientMessage): RequestId | undefined {
  if (kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** A running request, its reply, and its call if it has one. */
export class InFlightRequest {
  private call: Abortable | undefined = undefined;
  /** True once it is answered, cancelled or abandoned. */
  isOver = false;

  constructor(
    readonly message: JsonRpcRequest,
    readonly caller: Caller,
    readonly reply: Reply,
  ) {}

  /** Stores the call, which is aborted with the request. */
  started(call: Abortable): void {
    this.call = call;
    // The client may have disconnected while `visible` decided.
    if (this.isOver) call.abort();
  }

  abort(): void {
    this.call?.abort();
  }
}

/**
 * The running requests of a session. A request is removed when it is answered or cancelled, or when its
 * client disconnects.
 */
export class InFlightRequests {
  private readonly byId = new Map<RequestId, InFlightRequest>();
  /** Streams that are not closed yet: a client may read an answer long after it was written. */
  private openStreams = 0;
  private readonly underWay = new UnderWay();
  private lastClosed = performance.now();

  /** @param onOver called when a request is answered, cancelled or abandoned */
  constructor(
    private readonly sessionId: string,
    private readonly onOver?: (id: RequestId) => void,
  ) {}

  /** When the last stream closed, by `performance.now()`; undefined while one is open. */
  get idleSince(): number | undefined {
    return this.openStreams === 0 ? this.lastClosed : undefined;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: RequestId): InFlightRequest | undefined {
    return this.byId.get(id);
  }

  /** The id must not belong to a running request. */
  add(message: JsonRpcRequest, caller: Caller, reply: Reply): InFlightRequest {
    reply.inSession(this.sessionId);
    const request = new InFlightRequest(message, caller, reply);
    reply.onceClosed(() => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (this.byId.get(message.id) !== request) return;
      this.remove(request);
      request.abort();
    });
    // Counted last: a request that is counted must end.
    this.byId.set(message.id, request);
    this.underWay.begin();
    this.openStreams++;
    return request;
  }

  answer(id: RequestId, ...json: BodyParts): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    this.remove(request);
    request.reply.answer(...json);
  }

  /** A cancelled request gets no answer (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    // Aborted first, while the stream is open: it carries the cancellation of questions to the client.
    request.abort();
    this.remove(request);
    request.reply.end();
  }

  keepAlive(): void {
    for (const { reply } of this.byId.values()) reply.keepAlive();
  }

  /** Aborts every call and answers it with an error, because clients wait on a stream without an answer. */
  end(reason: string): void {
    for (const [id, request] of this.byId) {
      this.remove(request);
      request.abort();
      request.reply.answer(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when every request is answered, at the latest after `limitMs` milliseconds. */
  answered(limitMs: number): Promise<void> {
    return this.underWay.none(limitMs);
  }

  private remove(request: InFlightRequest): void {
    request.isOver = true;
    this.byId.delete(request.message.id);
    this.underWay.end();
    this.onOver?.(request.message.id);
  }
}
