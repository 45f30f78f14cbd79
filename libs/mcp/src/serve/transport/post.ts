import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type Caller, withoutSession } from '../call/caller.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import { takesAnswers } from '../protocol/headers.js';
import { clientMessageOf } from '../protocol/json-rpc.js';
import { BATCH_REFUSED, INVALID_MESSAGE, NOT_ACCEPTABLE_POST } from '../protocol/refusals.js';
import type { Reply } from '../protocol/reply.js';
import type { Operations } from '../methods/operations.js';
import type { Sessions } from '../revisions/2025-11-25/sessions.js';
import { isStatelessMessage } from '../revisions/message-revision.js';
import type { Stateless } from '../revisions/2026-07-28/stateless.js';
import { type BodySource, type Read, readBody } from './body-reader.js';

export interface Service {
  readonly options: EndpointOptions;
  readonly operations: Operations;
  /** Serves protocol versions up to 2025-11-25. */
  readonly sessions: Sessions;
  /** Serves protocol version 2026-07-28. */
  readonly stateless: Stateless;
}

export interface Incoming {
  /** The original request of Node.js. */
  readonly message: IncomingMessage;
  /** The same request in HTTP/1.1 form. */
  readonly request: IncomingMessage;
  readonly reply: Reply;
  /** The place of the body, if the body is not on `message`. */
  readonly body: BodySource | undefined;
  /** Runs code that an event calls. If it fails, logs the error and sends a response. */
  readonly run: (step: () => Done) => void;
}

/** A promise only if the step has to wait. */
export type Done = void | Promise<void>;

/** Messages of MCP 2026-07-28 go to `stateless`, all other messages to `sessions`. */
export function post(incoming: Incoming, caller: Caller, service: Service): void {
  const { message, request, reply, body, run } = incoming;
  if (!takesAnswers(request.headers.accept)) return reply.refuse(NOT_ACCEPTABLE_POST);
  const { limits, visible } = service.options;
  const needsContext = visible !== undefined || service.operations.watches.isTracing;
  const next = (read: Read) => run(() => receive(read, incoming, caller, service));
  // The function `visible` and traces need the async context that the application's middleware
  // opened.
  readBody(message, limits.requestBytes, body, needsContext ? AsyncResource.bind(next) : next);
}

function receive(read: Read, { reply }: Incoming, outer: Caller, service: Service): Done {
  if (read.kind === 'gone') return;
  if (read.kind === 'refused') return reply.refuse(read.refusal);
  if (Array.isArray(read.body)) return reply.refuse(BATCH_REFUSED);

  const sent = clientMessageOf(read.body);
  const { operations, sessions, stateless } = service;
  const rewritten = operations.rewrite(sent, outer);
  const message = rewritten?.message ?? sent;
  const given = rewritten?.caller ?? outer;
  const isStateless = isStatelessMessage(message, given.origin.headers);
  // Nothing checks the session id of such a message. It may belong to another client.
  const sender = isStateless ? withoutSession(given) : given;
  const { watches } = operations;
  const caller = watches.any ? watches.watch(message, sender, reply) : sender;
  if (isStateless) {
    return stateless.post(message, read.body, caller, reply);
  }
  return message ? sessions.post(message, caller, reply) : reply.refuse(INVALID_MESSAGE);
}
