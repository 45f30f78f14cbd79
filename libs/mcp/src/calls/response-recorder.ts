import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** The application's response. */
export interface CallResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** The first `limits.responseBytes` bytes of the body. */
  readonly body: Buffer;
  /** Length of the whole body in bytes. */
  readonly bytes: number;
}

/**
 * Makes a response record what is written to it. The overrides are own properties of the object, because
 * Express replaces prototypes. Everything else is Node's, so that middleware which wraps `writeHead` or
 * `end`, or waits for `finish`, works unchanged.
 *
 * All responses share these functions. V8 would allocate a function literal in the assignment as
 * long-lived, and it would retain the whole call until the next full garbage collection.
 * @param limit bytes of the body to keep; the rest is counted and dropped
 * @param onEnd called once, when the application ends the response
 */
export function record(
  response: ServerResponse,
  limit: number,
  onEnd: (response: CallResponse) => void,
): void {
  const recorded = response as unknown as RecordedResponse;
  recorded[RECORDING] = new Recording(limit, onEnd);
  recorded.writeHead = writeHead;
  recorded.flushHeaders = flushHeaders;
  recorded.write = write;
  recorded.end = end;
}

const RECORDING = Symbol('fledge:recording');

/** The data written so far. */
class Recording {
  headers: OutgoingHttpHeaders | undefined;
  bytes = 0;
  private kept = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    private readonly limit: number,
    readonly onEnd: (response: CallResponse) => void,
  ) {}

  add(chunk: unknown, encoding: unknown): void {
    const buffer = toBuffer(chunk, encoding);
    this.bytes += buffer.length;
    const room = this.limit - this.kept;
    if (room <= 0 || buffer.length === 0) return;
    const part = buffer.length > room ? buffer.subarray(0, room) : buffer;
    this.kept += part.length;
    this.chunks.push(part);
  }

  get body(): Buffer {
    const { chunks, kept } = this;
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, kept);
  }
}

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
  const done = callbackIn(encoding, callback);
  if (this.writableEnded || this.destroyed) {
    const error = new Error('write after end');
    process.nextTick(() => (done ? done(error) : this.emit('error', error)));
    return false;
  }
  this.flushHeaders();
  this[RECORDING].add(chunk, encoding);
  if (done) process.nextTick(done);
  return true;
}

function end(
  this: RecordedResponse,
  chunk?: unknown,
  encoding?: unknown,
  callback?: unknown,
): RecordedResponse {
  const done = callbackIn(chunk, encoding, callback);
  if (this.writableEnded || this.destroyed) {
    if (done) process.nextTick(done);
    return this;
  }
  this.flushHeaders();
  const recording = this[RECORDING];
  if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') {
    recording.add(chunk, encoding);
  }
  if (done) this.once('finish', done);
  this.finished = true;
  process.nextTick(finish, this);
  const { headers, body, bytes } = recording;
  recording.onEnd({
    status: this.statusCode,
    headers: headers ? { ...this.getHeaders(), ...headers } : this.getHeaders(),
    body,
    bytes,
  });
  return this;
}

/** Does what Node's server does when the last byte of a response is sent (`resOnFinish`). */
function finish(response: RecordedResponse): void {
  response.emit('prefinish');
  response.emit('finish');
  // Discards an unread body, so that the request ends as well.
  if (!response.req.readableEnded) response.req.resume();
  process.nextTick(close, response);
}

function close(response: RecordedResponse): void {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

/** A response with the overridden methods and the properties that Node's server sets. */
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

type Done = (error?: Error) => void;

function callbackIn(...candidates: unknown[]): Done | undefined {
  return candidates.find((candidate): candidate is Done => typeof candidate === 'function');
}

function toBuffer(chunk: unknown, encoding: unknown): Buffer {
  if (typeof chunk === 'string') {
    return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new TypeError(
    `The "chunk" argument must be of type string or an instance of Buffer or Uint8Array. Received ${typeof chunk}`,
  );
}

/**
 * Headers passed to `writeHead(status[, reason][, headers])`, as an object or as alternating names and
 * values. Names are returned in lower case.
 */
function headersIn(rest: readonly unknown[]): OutgoingHttpHeaders | undefined {
  const given = rest.find((value) => typeof value === 'object' && value !== null);
  if (given === undefined) return undefined;
  const entries: [string, unknown][] = Array.isArray(given)
    ? pairsOf(given.flat() as unknown[])
    : Object.entries(given);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  ) as OutgoingHttpHeaders;
}

function pairsOf(flat: readonly unknown[]): [string, unknown][] {
  const pairs: [string, unknown][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([String(flat[i]), flat[i + 1]]);
  return pairs;
}
