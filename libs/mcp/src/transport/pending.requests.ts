import type { ServerResponse } from 'node:http';
import { ErrorCode, errorJson, type JsonRpcRequest, type RequestId } from '../messages/json-rpc.js';
import type { ToolCall } from '../operations/tool-caller.js';
import { type BodyParts, EventStream, onceClosed } from './event-stream.js';
import type { HttpCaller } from './http-caller.js';
import { UnderWay } from '../messages/under-way.js';

/** A request under way, the stream its answer goes to, and the call it made where it is one. */
export interface PendingRequest {
  readonly message: JsonRpcRequest;
  readonly caller: HttpCaller;
  readonly stream: EventStream;
  call: ToolCall | undefined;
}

/** The requests of a session that are under way: each until it is answered, cancelled or its client is gone. */
export class PendingRequests {
  private readonly byId = new Map<RequestId, PendingRequest>();
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

  get(id: RequestId): PendingRequest | undefined {
    return this.byId.get(id);
  }

  /** Call it for an id that is not under way. */
  add(message: JsonRpcRequest, caller: HttpCaller, response: ServerResponse): PendingRequest {
    const { id } = message;
    const pending: PendingRequest = {
      message,
      caller,
      stream: new EventStream(response, this.sessionId),
      call: undefined,
    };
    this.byId.set(id, pending);
    this.underWay.begin();
    this.openStreams++;
    onceClosed(response, () => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (this.byId.get(id) !== pending) return;
      this.remove(id);
      pending.call?.abort();
    });
    return pending;
  }

  answer(id: RequestId, ...json: BodyParts): void {
    const pending = this.byId.get(id);
    if (pending === undefined) return;
    this.remove(id);
    pending.stream.end(...json);
  }

  /** A cancelled request is owed no answer (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const pending = this.byId.get(id);
    if (pending === undefined) return;
    // First, while the stream is there: what the client was asked meanwhile is cancelled on it.
    pending.call?.abort();
    this.remove(id);
    pending.stream.end();
  }

  keepAlive(): void {
    for (const { stream } of this.byId.values()) stream.keepAlive();
  }

  /** Ends every call; its stream ends with an error, since a stream without answer makes clients wait. */
  end(reason: string): void {
    for (const [id, { call, stream }] of this.byId) {
      this.remove(id);
      call?.abort();
      stream.end(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when every request has its answer, at the latest after `limitMs`. */
  answered(limitMs: number): Promise<void> {
    return this.underWay.none(limitMs);
  }

  private remove(id: RequestId): void {
    this.byId.delete(id);
    this.underWay.end();
  }
}
