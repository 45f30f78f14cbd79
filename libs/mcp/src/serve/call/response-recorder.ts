import type { ServerResponse } from 'node:http';
import type { CallSocket } from './call-socket.js';
import {
  callbackIn,
  type CallResponse,
  type Done,
  headersIn,
  Recording,
  type ResponseEvents,
} from './recording.js';

/**
 * Makes a response record everything that is written to it. Express replaces the prototype of
 * responses, so the methods are overridden on the object itself. Middleware that wraps `writeHead`
 * or `end`, or waits for `finish`, still works.
 *
 * If an application writes faster than the data is read, the application has to wait, as with a
 * connection. At the limit, the response is stopped. Otherwise an endless stream would block the
 * process.
 *
 * All responses share the same functions. A function literal per response would keep the complete
 * call in memory until the next full garbage collection.
 * @param limit maximum number of stored bytes of the body. The rest of the last chunk is counted,
 * but not stored
 */
export function record(response: ServerResponse, limit: number, events: ResponseEvents): void {
  const recorded = response as unknown as RecordedResponse;
  recorded[RECORDING] = new Recording(limit, events);
  recorded.writeHead = writeHead;
  recorded.flushHeaders = flushHeaders;
  recorded.write = write;
  recorded.end = end;
}

const RECORDING = Symbol('fledge:recording');

/** Bytes that may be written before the application must wait, as on a connection of Node.js. */
const HIGH_WATER_MARK = 16_384;

function writeHead(this: RecordedResponse, status: number, ...rest: unknown[]): ServerResponse {
  this[RECORDING].headers = headersIn(rest);
  const { writeHead } = Object.getPrototypeOf(this) as RecordedResponse;
  return writeHead.call(this, status, ...rest);
}

function flushHeaders(this: RecordedResponse): void {
  if (!this.headersSent) this.writeHead(this.statusCode);
}

function write(
  this: RecordedResponse,
  chunk: unknown,
  encoding?: unknown,
  callback?: unknown,
): boolean {
  const done = callbackIn([encoding, callback]);
  if (this.writableEnded || this.destroyed) return refuseWrite(this, done);
  this.flushHeaders();
  (this.socket as unknown as CallSocket).touch();
  if (!hasBody(this)) {
    if (done) process.nextTick(done);
    return true;
  }
  const recording = this[RECORDING];
  recording.add(chunk, encoding);
  if (recording.bytes > recording.limit) {
    if (done) process.nextTick(done);
    recording.events.onStop(stoppedResponseOf(this));
    return false;
  }
  if (recording.pending < HIGH_WATER_MARK) {
    if (done) process.nextTick(done);
    return true;
  }
  if (done) recording.waiting.push(done);
  if (!this.writableNeedDrain) {
    setNeedDrain(this, true);
    // With `setImmediate`, timers and connections run first.
    setImmediate(drain, this);
  }
  return false;
}

/** Returns false if Node.js does not send the body of this response (RFC 9110 §6.4.1). */
function hasBody({ req, statusCode }: RecordedResponse): boolean {
  return req.method !== 'HEAD' && statusCode !== 204 && statusCode !== 304;
}

/** Like Node.js, reports the error only to the callback of the write. */
function refuseWrite(response: RecordedResponse, done: Done | undefined): false {
  const error = new Error('write after end');
  if (done) process.nextTick(done, error);
  else if (!response.destroyed) process.nextTick(() => response.emit('error', error));
  return false;
}

function drain(response: RecordedResponse): void {
  const recording = response[RECORDING];
  recording.pending = 0;
  setNeedDrain(response, false);
  callBack(response);
  if (!response.finished && !response.destroyed) response.emit('drain');
}

function callBack(response: RecordedResponse): void {
  const { waiting } = response[RECORDING];
  response[RECORDING].waiting = [];
  for (const done of waiting) done();
}

/**
 * Sets the property only on the few responses that need it. Node's getter cannot be used, because
 * the getter reads a private symbol.
 */
function setNeedDrain(response: RecordedResponse, value: boolean): void {
  Object.defineProperty(response, 'writableNeedDrain', { value, configurable: true });
}

function end(
  this: RecordedResponse,
  chunk?: unknown,
  encoding?: unknown,
  callback?: unknown,
): RecordedResponse {
  const done = callbackIn([chunk, encoding, callback]);
  if (this.writableEnded || this.destroyed) {
    if (done) process.nextTick(done);
    return this;
  }
  this.flushHeaders();
  const recording = this[RECORDING];
  const hasChunk = chunk !== undefined && chunk !== null && typeof chunk !== 'function';
  if (hasChunk && hasBody(this)) {
    recording.add(chunk, encoding);
  }
  if (done) this.once('finish', done);
  this.finished = true;
  process.nextTick(finish, this);
  recording.events.onEnd(responseOf(this));
  return this;
}

/** Returns the written part. The headers may contain the length of the complete body. */
function stoppedResponseOf(response: RecordedResponse): CallResponse {
  const stopped = responseOf(response);
  const length = Number(stopped.headers['content-length']);
  return length > stopped.bytes ? { ...stopped, bytes: length } : { ...stopped, isLonger: true };
}

function responseOf(response: RecordedResponse): CallResponse {
  const { headers, body, bytes } = response[RECORDING];
  return {
    status: response.statusCode,
    headers: headers ? { ...response.getHeaders(), ...headers } : response.getHeaders(),
    body,
    bytes,
  };
}

/** Does what Node's server does after the last byte of a response (`resOnFinish`). */
function finish(response: RecordedResponse): void {
  callBack(response);
  response.emit('prefinish');
  // Since Node.js 24, the getter reads a private symbol that only Node's `end()` sets.
  if (!response.writableFinished) {
    Object.defineProperty(response, 'writableFinished', { value: true, configurable: true });
  }
  response.emit('finish');
  // Reads and discards the rest of the request body. Otherwise the request would not end.
  if (!response.req.readableEnded) response.req.resume();
  process.nextTick(close, response);
}

function close(response: RecordedResponse): void {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
  // Emits the same event as a closed connection. Code that tracks sockets then releases this
  // socket.
  const { socket } = response;
  if (socket === null) return;
  response.detachSocket(socket);
  (socket as unknown as CallSocket).closeNow();
}

/** A response with overridden methods, and with the properties that Node's server sets. */
type RecordedResponse = Omit<ServerResponse, Overridden> & {
  [RECORDING]: Recording;
  finished: boolean;
  destroyed: boolean;
  _closed: boolean;
  writeHead: (status: number, ...rest: unknown[]) => ServerResponse;
  flushHeaders: () => void;
  write: (chunk: unknown, encoding?: unknown, callback?: unknown) => boolean;
  end: (chunk?: unknown, encoding?: unknown, callback?: unknown) => RecordedResponse;
};

type Overridden = 'finished' | 'destroyed' | 'writeHead' | 'flushHeaders' | 'write' | 'end';
