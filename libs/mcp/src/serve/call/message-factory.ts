import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type VersioningOptions, VersioningType } from '@nestjs/common';
import type { RouteRequest } from '../../publish/arguments/request-builder.js';
import type { CallSocket } from './call-socket.js';

/**
 * Creates the request and the response object of a call, as real `node:http` objects.
 *
 * Express replaces the prototypes of every request and response. On an existing object this makes
 * V8 drop the hidden class, which slows down every later access. An object constructed with these
 * prototypes keeps its hidden class. Fastify does not replace prototypes.
 */
export interface MessageFactory {
  request(call: RouteRequest, headers: string[], socket: CallSocket): IncomingMessage;
  response(request: IncomingMessage, socket: CallSocket): ServerResponse;
}

/** An Express application, with the prototypes that it gives to requests and responses. */
interface ExpressApplication {
  readonly request: object;
  readonly response: object;
}

/**
 * @param instance the platform's application: `httpAdapter.getInstance()`
 * @param versions stores the requested version of a request, see `answerVersionOfCalls`
 */
export function messageFactoryFor(
  instance: unknown,
  versions: WeakMap<IncomingMessage, string>,
): MessageFactory {
  const express = isExpress(instance);
  const Request = express ? shaped(IncomingMessage, instance.request) : IncomingMessage;
  const Response = express ? shaped(ServerResponse, instance.response) : ServerResponse;

  return {
    request(call, headers, socket) {
      const request = new Request(socket as unknown as Socket) as NodeIncomingMessage;
      request.method = call.method;
      request.url = call.url;
      request.httpVersion = '1.1';
      request.httpVersionMajor = 1;
      request.httpVersionMinor = 1;
      request._addHeaderLines(headers, headers.length);
      // Without a body, Node's parser has finished before the handler runs.
      request.complete = call.body === undefined;
      request[BODY] = call.body;
      request._read = giveBody;
      if (call.version !== undefined) versions.set(request, call.version);
      return request;
    },
    response(request, socket) {
      const response = new Response(request);
      response.assignSocket(socket as unknown as Socket);
      return response;
    },
  };
}

/** Key of the body, which is stored on the request. */
const BODY = Symbol('fledge:body');

/**
 * Pushes the body when it is read, in a later tick, as a connection does. If it were pushed
 * earlier, Node would check for the end of the stream with every added listener. All requests share
 * this function.
 */
function giveBody(this: NodeIncomingMessage): void {
  this._read = ignore;
  process.nextTick(give, this);
}

function give(request: NodeIncomingMessage): void {
  if (request.destroyed) return;
  request.complete = true;
  const { [BODY]: body } = request;
  if (body !== undefined) request.push(body);
  request.push(null);
}

function ignore(): void {}

interface NodeIncomingMessage extends IncomingMessage {
  [BODY]: Buffer | undefined;
  /** Called by Node's HTTP parser. Using it keeps Node's rules for joined headers and `headersDistinct`. */
  _addHeaderLines(rawHeaders: string[], count: number): void;
}

function isExpress(instance: unknown): instance is ExpressApplication {
  const { request, response } = (instance ?? {}) as Partial<ExpressApplication>;
  return request instanceof IncomingMessage && response instanceof ServerResponse;
}

/**
 * Returns a constructor like Node's, whose instances have another prototype. It calls Node's
 * constructor instead of extending it, because the prototype of a class cannot be replaced, and
 * `Reflect.construct` would give every instance a separate hidden class.
 */
function shaped<Arg, Message extends object>(
  base: new (arg: Arg) => Message,
  prototype: object,
): new (arg: Arg) => Message {
  function Shaped(this: Message, arg: Arg) {
    (base as unknown as (this: Message, arg: Arg) => void).call(this, arg);
  }
  Shaped.prototype = prototype;
  // This makes V8 reserve space for the properties that Node sets, as in a class that extends
  // Node's class. Without that space, the properties that Express adds would turn instances into
  // dictionaries.
  Object.setPrototypeOf(Shaped, base);
  return Shaped as unknown as new (arg: Arg) => Message;
}

/**
 * With custom versioning, the application's extractor reads the version from a request. The version
 * of a call is already known, so the extractor is skipped for calls. It still runs for all other
 * requests. Both platforms read the extractor from these options at request time.
 */
export function answerVersionOfCalls(
  versioning: VersioningOptions | undefined,
  versions: WeakMap<IncomingMessage, string>,
): void {
  if (versioning?.type !== VersioningType.CUSTOM) return;
  const { extractor } = versioning;
  versioning.extractor = (request: unknown) =>
    versions.get(request as IncomingMessage) ?? extractor(request);
}
