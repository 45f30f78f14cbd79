import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type RequestId,
} from '../../../protocol/json-rpc.js';
import type { Refusal } from '../../../protocol/refusals.js';
import type { BodyParts } from '../../../protocol/reply.js';
import { RunningRequests } from '../../../protocol/running-requests.js';
import type { ClientRequest } from '../../../methods/client-request.js';

export function cancelledBy({ kind, message }: ClientMessage): RequestId | undefined {
  if (kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** A request is removed after its response, after a cancellation, or if the client disconnects. */
export class InFlightRequests {
  private readonly byId = new RunningRequests<RequestId, ClientRequest>();
  /** Counted separately, because a client may still read a response after the request has ended. */
  private openStreams = 0;
  private lastClosed = performance.now();

  /** @param onOver called after the response, after a cancellation, or after a disconnect */
  constructor(
    private readonly sessionId: string,
    private readonly onOver?: (id: RequestId) => void,
  ) {}

  /** Time when the last stream closed, by `performance.now()`. Undefined while one is open. */
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

  /** No running request may have the same id. */
  add(request: ClientRequest): void {
    const { reply } = request;
    reply.inSession(this.sessionId);
    reply.onceClosed(() => {
      this.openStreams--;
      this.lastClosed = performance.now();
      if (!request.isOver) this.remove(request);
    });
    // These lines must come last: if a line above throws, the request must not be counted.
    this.byId.set(request.id, request);
    this.openStreams++;
  }

  answer(request: ClientRequest, ...json: BodyParts): void {
    // The request has already ended. Another request may now have the same id.
    if (request.isOver) return;
    this.remove(request);
    request.reply.answer(...json);
  }

  refuse(request: ClientRequest, refusal: Refusal): void {
    if (request.isOver) return;
    this.remove(request);
    request.reply.refuse(refusal);
  }

  /** A cancelled request gets no response (MCP 2025-11-25, Cancellation). */
  cancel(id: RequestId): void {
    const request = this.byId.get(id);
    if (request === undefined) return;
    this.remove(request);
    request.reply.end();
  }

  keepAlive(): void {
    for (const { reply } of this.byId.values()) reply.keepAlive();
  }

  /** Responds with an error, because clients would otherwise wait forever. */
  end(reason: string): void {
    for (const [id, request] of this.byId) {
      this.remove(request);
      request.reportError(ErrorCode.Refused, reason);
      request.reply.answer(errorJson(id, ErrorCode.Refused, reason));
    }
  }

  /** Resolves when no request is running, or after `limitMs` milliseconds. */
  answered(limitMs: number): Promise<void> {
    return this.byId.none(limitMs);
  }

  private remove(request: ClientRequest): void {
    request.end();
    this.byId.delete(request.id);
    this.onOver?.(request.id);
  }
}
