import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type VersioningOptions, VersioningType } from '@nestjs/common';
import type { RouteRequest } from '../arguments/request-builder.js';
import type { CallSocket } from './call-socket.js';

/**
 * Makes the request and the response object of a call, real ones of `node:http`.
 *
 * Express gives every request the prototypes of its application. Doing so to an object that exists
 * makes V8 drop its shape and slows all that touches it; an object constructed with them keeps it.
 * Fastify leaves the prototypes alone.
 */
export interface MessageFactory {
  request(call: RouteRequest, headers: string[], socket: CallSocket): IncomingMessage;
  response(request: IncomingMessage, socket: CallSocket): ServerResponse;
}

/** An Express application: what `app.request` and `app.response` are made for. */
interface ExpressApplication {
  readonly request: object;
  readonly response: object;
}

/**
 * @param instance the platform's application: `httpAdapter.getInstance()`
 * @param versions where the version a request asks for is noted, see `answerVersionOfCalls`
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

/** On the request itself, like the call it belongs to. */
const BODY = Symbol('fledge:body');

/**
 * Gives the body when it is read, in a later tick, as a connection does: given before, every listener
 * that is added makes Node look for the end of the stream. A function that all requests share.
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
  /** What Node's own HTTP parser calls; keeps `headersDistinct` and the joining rules Node's. */
  _addHeaderLines(rawHeaders: string[], count: number): void;
}

function isExpress(instance: unknown): instance is ExpressApplication {
  const { request, response } = (instance ?? {}) as Partial<ExpressApplication>;
  return request instanceof IncomingMessage && response instanceof ServerResponse;
}

/**
 * A constructor like Node's whose instances have another prototype. Node's is called, not extended:
 * a class has a prototype of its own for good, and `Reflect.construct` would give every instance a
 * hidden class of its own.
 */
function shaped<Arg, Message extends object>(
  base: new (arg: Arg) => Message,
  prototype: object,
): new (arg: Arg) => Message {
  function Shaped(this: Message, arg: Arg) {
    (base as unknown as (this: Message, arg: Arg) => void).call(this, arg);
  }
  Shaped.prototype = prototype;
  // As a class derived from Node's, V8 gives its instances room for the properties Node sets. With
  // less, those that Express adds turn them into dictionaries.
  Object.setPrototypeOf(Shaped, base);
  return Shaped as unknown as new (arg: Arg) => Message;
}

/**
 * Under custom versioning the application's extractor reads the version from a request. The version of a
 * call is known beforehand, so the extractor is not called for it; every other request goes to the extractor
 * as before. Both platforms read the extractor from these options at request time.
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
