import type { Caller } from '../calls/caller.js';
import type { Abortable } from '../calls/peer.js';
import { ErrorCode, errorJson, type JsonRpcRequest, type RequestId } from '../messages/json-rpc.js';
import type { BodyParts, Reply } from '../messages/reply.js';
import { UnderWay } from '../messages/under-way.js';

/** A request under way, where its answer goes, and the call it made, if it made one. */
export class InFlightRequest {
  private call: Abortable | undefined = undefined;
  /** Whether it is answered or given up. */
  isOver = false;

  constructor(
    readonly message: JsonRpcRequest,
    readonly caller: Caller,
    readonly reply: Reply,
  ) {}

  /** Keeps the call of the request, which ends with it. */
  started(call: Abortable): void {
    this.call = call;
    // The client may have left while it was decided whether it may see what it calls.
    if (this.isOver) call.abort();
  }

  abort(): void {
    this.call?.abort();
  }
}

/** The requests of a session that are under way: each until it is answered, cancelled or its client is gone. */
export class InFlightRequests {
  private readonly byId = new Map<RequestId, InFlightRequest>();
  /** Streams not yet closed: a client may read an answer long after it was written. */
  private openStreams = 0;
  private readonly underWay = new UnderWay();
  private lastClosed = performance.now();

  constructor(private readonly sessionId: string) {}

  /** When the last stream closed, by `performance.now()`; undefined while one is open. */
  get idleSince(): number | undefined {
    return this.openStreams === 0 ? this.lastClosed : undefined;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  get(id: RequestId): InFlightRequest | undefined {
    return this.byId.get(id);
  }

  /** Call it for an id that is not under way. */
  add(message: JsonRpcRequest, caller: Caller, reply: Reply): InFlightRequest {
    reply.inSession(this.sessionId);
    const request = new InFlightRequest(message, caller, reply);
    this.byId.set(message.id, request);
    this.underWay.begin();
    this.openStreams++;
    reply.onceClosed(() => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (this.byId.get(message.id) !== request) return;
      this.remove(request);
      request.abort();
    });
    return request;
  }

  answer(id: RequestId, ...json: BodyParts): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    this.remove(request);
    request.reply.answer(...json);
  }

  /** A cancelled request is owed no answer (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    // First, while the stream is there: what the client was asked meanwhile is cancelled on it.
    request.abort();
    this.remove(request);
    request.reply.end();
  }

  keepAlive(): void {
    for (const { reply } of this.byId.values()) reply.keepAlive();
  }

  /** Ends every call; its stream ends with an error, since a stream without answer makes clients wait. */
  end(reason: string): void {
    for (const [id, request] of this.byId) {
      this.remove(request);
      request.abort();
      request.reply.answer(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when every request has its answer, at the latest after `limitMs`. */
  answered(limitMs: number): Promise<void> {
    return this.underWay.none(limitMs);
  }

  private remove(request: InFlightRequest): void {
    request.isOver = true;
    this.byId.delete(request.message.id);
    this.underWay.end();
  }
}
