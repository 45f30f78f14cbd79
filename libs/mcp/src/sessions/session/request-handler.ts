import { Logger } from '@nestjs/common';
import type { Caller } from '../../calls/caller.js';
import {
  ErrorCode,
  errorJson,
  type JsonRpcRequest,
  type RequestId,
} from '../../messages/json-rpc.js';
import { Notifications } from '../../messages/notifications.js';
import { duplicateId } from '../../messages/refusals.js';
import type { Reply } from '../../messages/reply.js';
import type { ToolCaller } from '../../operations/tool-caller.js';
import type { InFlightRequest, InFlightRequests } from './in-flight-requests.js';
import { fastAnswer, type FastRequest } from './session-fast-path.js';
import { type SessionClient, SessionPeer } from './session-peer.js';
import type { SessionSettings } from './session-settings.js';
import type { SessionSdk } from './session-sdk.js';
import type { SessionTransport } from './session-transport.js';

/** The parts of a session that answer its requests. */
interface Parts {
  readonly inFlight: InFlightRequests;
  readonly settings: SessionSettings;
  readonly client: SessionClient;
  readonly tools: ToolCaller;
  readonly sdk: SessionSdk;
  readonly transport: SessionTransport;
}

/** Answers the requests of a session: well-formed `tools/*` itself, the rest by the SDK. */
export class RequestHandler {
  private readonly logger = new Logger('McpModule');

  constructor(private readonly parts: Parts) {}

  /** Undefined if the id belongs to a running request: the second is refused. */
  begin(message: JsonRpcRequest, caller: Caller, reply: Reply): InFlightRequest | undefined {
    const { inFlight, client } = this.parts;
    const { id } = message;
    if (inFlight.get(id) !== undefined) {
      reply.refuse(duplicateId(id));
      return undefined;
    }
    caller.watch?.from(client.info);
    return inFlight.add(message, caller, reply);
  }

  /** @param fast the request, if it can be answered without the SDK */
  answer(request: InFlightRequest, fast: FastRequest | undefined): void {
    if (fast) {
      this.answerFast(fast, request);
      return;
    }
    const { sdk, transport, inFlight } = this.parts;
    const { message } = request;
    const fault = sdk.paramsFault(message);
    if (fault === undefined) transport.receive(message);
    else inFlight.answer(message.id, errorJson(message.id, ErrorCode.InvalidParams, fault));
  }

  /** The client of a running request. */
  peerOf(request: InFlightRequest): SessionPeer {
    const { client, settings } = this.parts;
    const meta = request.message.params?.['_meta'] as { progressToken?: RequestId } | undefined;
    const notifications = new Notifications(meta?.progressToken, settings, request.reply);
    return new SessionPeer(client, request, notifications);
  }

  private answerFast(fast: FastRequest, request: InFlightRequest): void {
    const { tools, inFlight } = this.parts;
    const { id, method } = request.message;
    fastAnswer(fast, id, tools, this.peerOf(request)).then(
      (json) => {
        // After a cancellation, another request may have the id.
        if (!request.isOver) inFlight.answer(id, ...json);
      },
      (error: unknown) => {
        this.logger.error(`${method} failed`, error);
        if (!request.isOver) {
          inFlight.answer(id, errorJson(id, ErrorCode.InternalError, 'Internal error'));
        }
      },
    );
  }
}
