import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type Caller, callerOf } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { takesAnswers } from '../messages/accept.js';
import { type ClientMessage, clientMessageOf, type RequestId } from '../messages/json-rpc.js';
import {
  BATCH_REFUSED,
  insufficientScope,
  INVALID_MESSAGE,
  NOT_ACCEPTABLE_POST,
} from '../messages/refusals.js';
import type { CallWatches } from '../messages/call-watches.js';
import type { Reply } from '../messages/reply.js';
import type { Operations } from '../operations/operations.js';
import type { Sessions } from '../sessions/sessions.js';
import { fastRequestOf } from '../stateless/stateless-fast-path.js';
import type { Stateless } from '../stateless/stateless.js';
import { type BodySource, type Read, readBody } from './body-reader.js';

/** The services behind an endpoint after boot. */
export interface Service {
  readonly options: EndpointOptions;
  readonly operations: Operations;
  /** Revisions up to 2025-11-25. */
  readonly sessions: Sessions;
  /** Revision 2026-07-28. */
  readonly stateless: Stateless;
  readonly watches: CallWatches;
}

/** One HTTP request to the endpoint. */
export interface Incoming {
  /** The original request, with the body. */
  readonly message: IncomingMessage;
  /** The request in HTTP/1.1 form. */
  readonly request: IncomingMessage;
  readonly reply: Reply;
  /** Where the body is, if it is not on the message. */
  readonly body: BodySource | undefined;
  /** Runs a step that starts with an event. If it fails, the error is logged and answered. */
  readonly run: (step: () => Done) => void;
}

/** A promise if the step has to wait. */
export type Done = void | Promise<void>;

/** Handles a POST: reads its message and passes it to the revision it belongs to. */
export function post(incoming: Incoming, caller: Caller, service: Service): void {
  const { message, request, reply, body, run } = incoming;
  if (!takesAnswers(request.headers.accept)) return reply.refuse(NOT_ACCEPTABLE_POST);
  const { limits, visible } = service.options;
  const needsContext = visible !== undefined || service.watches.telemetry.isOn;
  const next = (read: Read) => run(() => receive(read, incoming, caller, service));
  // Runs the application's `visible`, and finds the trace, in the async context that middleware opened.
  readBody(message, limits.requestBytes, body, needsContext ? AsyncResource.bind(next) : next);
}

function receive(read: Read, { reply }: Incoming, outer: Caller, service: Service): Done {
  if (read.kind === 'gone') return;
  if (read.kind === 'refused') return reply.refuse(read.refusal);
  if (Array.isArray(read.body)) return reply.refuse(BATCH_REFUSED);

  const sent = clientMessageOf(read.body);
  const { watches, operations } = service;
  const rewritten = operations.rewrite(sent, outer.origin.headers);
  const message: ClientMessage | undefined = rewritten
    ? { kind: 'request', message: rewritten.request }
    : sent;
  const caller = rewritten
    ? callerOf(outer.origin, outer.principal, outer.endpoint, rewritten.via)
    : outer;
  const watched = watches.any ? watches.watched(message, caller, reply) : undefined;
  const posted: Posted = {
    body: rewritten?.request ?? read.body,
    message,
    caller: watched?.caller ?? caller,
    reply: watched?.reply ?? reply,
  };
  const missing = operations.missingScopes(message?.message, posted.caller);
  return missing instanceof Promise
    ? missing.then((scopes) => answer(posted, scopes, service))
    : answer(posted, missing, service);
}

/** A message that was read, and its sender. */
interface Posted {
  readonly body: unknown;
  /** Undefined if the body is not a JSON-RPC message. */
  readonly message: ClientMessage | undefined;
  readonly caller: Caller;
  readonly reply: Reply;
}

function answer(posted: Posted, missingScopes: readonly string[], service: Service): Done {
  const { body, message, caller, reply } = posted;
  const { options, stateless } = service;
  if (message && missingScopes.length > 0) {
    const { metadataUrl } = options.auth ?? {};
    return reply.refuse(insufficientScope(missingScopes, metadataUrl, idOf(message)));
  }
  // Checked first: the SDK's check of the revision takes longer than everything else here.
  const fast = message && fastRequestOf(message, caller);
  if (fast) return stateless.post(body, fast, caller, reply);
  const { headers } = caller.origin;
  if (!stateless.mayOwn(body, headers)) return answerInSession(posted, service);
  return stateless
    .owns(body, headers)
    .then((owned) =>
      owned ? stateless.post(body, undefined, caller, reply) : answerInSession(posted, service),
    );
}

function answerInSession({ message, caller, reply }: Posted, { sessions }: Service): Done {
  if (message === undefined) return reply.refuse(INVALID_MESSAGE);
  return sessions.post(message, caller, reply);
}

function idOf({ message }: ClientMessage): RequestId | undefined {
  return 'id' in message ? message.id : undefined;
}
