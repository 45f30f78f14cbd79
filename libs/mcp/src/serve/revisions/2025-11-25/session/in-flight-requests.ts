import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type RequestId,
} from '../../../protocol/json-rpc.js';
import type { Refusal } from '../../../protocol/refusals.js';
import type { BodyParts } from '../../../protocol/reply.js';
import { UnderWay } from '../../../protocol/under-way.js';
import type { ClientRequest } from '../../../methods/client-request.js';

/** The id of the request that a message cancels. */
export function cancelledBy({ kind, message }: ClientMessage): RequestId | undefined {
  if (kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/**
 * The running requests of a session. A request is removed when it is answered or cancelled, or when its
 * client disconnects.
 */
export class InFlightRequests {
  private readonly byId = new Map<RequestId, ClientRequest>();
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

  get(id: RequestId): ClientRequest | undefined {
    return this.byId.get(id);
  }

  /** The id must not belong to a running request. */
  add(request: ClientRequest): void {
    const { reply } = request;
    reply.inSession(this.sessionId);
    reply.onceClosed(() => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (!request.isOver) this.remove(request);
    });
    // Counted last: a request that is counted must end.
    this.byId.set(request.id, request);
    this.underWay.begin();
    this.openStreams++;
  }

  answer(request: ClientRequest, ...json: BodyParts): void {
    // After a cancellation, another request may have the id.
    if (request.isOver) return;
    this.remove(request);
    request.reply.answer(...json);
  }

  refuse(request: ClientRequest, refusal: Refusal): void {
    if (request.isOver) return;
    this.remove(request);
    request.reply.refuse(refusal);
  }

  /** A cancelled request gets no answer (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
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
      request.reportError(ErrorCode.Refused, reason);
      request.reply.answer(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when every request is answered, at the latest after `limitMs` milliseconds. */
  answered(limitMs: number): Promise<void> {
    return this.underWay.none(limitMs);
  }

  private remove(request: ClientRequest): void {
    request.end();
    this.byId.delete(request.id);
    this.underWay.end();
    this.onOver?.(request.id);
  }
}
