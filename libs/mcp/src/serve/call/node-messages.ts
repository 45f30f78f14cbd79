import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type VersioningOptions, VersioningType } from '@nestjs/common';
import type { RouteRequest } from '../../publish/arguments/request-builder.js';
import type { CallSocket } from './call-socket.js';

/**
 * Creates the request and the response of a call, as real objects of `node:http`.
 *
 * Express replaces the prototype of every request and response. V8 then drops the hidden class of
 * the object, and every later access is slower. So the objects are constructed with Express'
 * prototypes from the start. Fastify does not replace prototypes.
 */
export interface MessageFactory {
  request(call: RouteRequest, headers: string[], socket: CallSocket): IncomingMessage;
  response(request: IncomingMessage, socket: CallSocket): ServerResponse;
}

/** `request` and `response` are the prototypes that Express sets on messages. */
interface ExpressApplication {
  readonly request: object;
  readonly response: object;
}

/**
 * @param instance the platform's application: `httpAdapter.getInstance()`
 * @param versions stores the requested version of a request: see `answerVersionOfCalls`
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
      // If a request has no body, Node's parser sets `complete` before the handler runs.
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

const BODY = Symbol('fledge:body');

/**
 * Provides the body in a later tick after the first read, as a connection does. If the body were
 * available earlier, Node.js would check for the end of the stream whenever a listener is added.
 * All requests share this function.
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
  /** Called by Node's HTTP parser. Also applies Node's rules for repeated headers. */
  _addHeaderLines(rawHeaders: string[], count: number): void;
}

function isExpress(instance: unknown): instance is ExpressApplication {
  const { request, response } = (instance ?? {}) as Partial<ExpressApplication>;
  return request instanceof IncomingMessage && response instanceof ServerResponse;
}

/**
 * Returns a constructor like that of Node.js, but with another prototype for the instances. A class
 * that extends Node's class would not work, because the prototype of a class cannot be replaced.
 * `Reflect.construct` would create a separate hidden class for every instance.
 */
function shaped<Arg, Message extends object>(
  base: new (arg: Arg) => Message,
  prototype: object,
): new (arg: Arg) => Message {
  function Shaped(this: Message, arg: Arg) {
    (base as unknown as (this: Message, arg: Arg) => void).call(this, arg);
  }
  Shaped.prototype = prototype;
  // Makes V8 reserve space for the properties that Node.js sets. Without this space, the properties
  // that Express adds would make every access slow.
  Object.setPrototypeOf(Shaped, base);
  return Shaped as unknown as new (arg: Arg) => Message;
}

/**
 * Skips the application's version extractor for calls, because the version of a call is already
 * known. The extractor still runs for all other requests. Applies to custom versioning only. Works
 * because both platforms read the extractor from these options for every request.
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
