import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { CallResponse } from './call.js';

/**
 * Turns a response into one that keeps what is written to it. The overrides are the object's own
 * properties, since Express replaces prototypes; all else is Node's, so that middleware which wraps
 * `writeHead` or `end`, or waits for `finish`, works as ever.
 * @param limit bytes of the body to keep; the rest is counted and dropped
 * @param onEnd called once, when the application ends the response
 */
export function record(
  response: ServerResponse,
  limit: number,
  onEnd: (response: CallResponse) => void,
): void {
  const recorded = response as unknown as NodeServerResponse;
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  let written: OutgoingHttpHeaders | undefined;

  const keep = (chunk: unknown, encoding: unknown) => {
    const buffer = toBuffer(chunk, encoding);
    bytes += buffer.length;
    if (kept >= limit || buffer.length === 0) return;
    const part = kept + buffer.length > limit ? buffer.subarray(0, limit - kept) : buffer;
    kept += part.length;
    chunks.push(part);
  };

  const writeHead = response.writeHead.bind(response) as NodeServerResponse['writeHead'];
  recorded.writeHead = (status, ...rest) => {
    written = headersIn(rest);
    return writeHead(status, ...rest);
  };

  recorded.flushHeaders = () => {
    if (!response.headersSent) response.writeHead(response.statusCode);
  };

  recorded.write = (chunk, encoding, callback) => {
    const done = callbackIn(encoding, callback);
    if (response.writableEnded || response.destroyed) {
      const error = new Error('write after end');
      process.nextTick(() => (done ? done(error) : response.emit('error', error)));
      return false;
    }
    response.flushHeaders();
    keep(chunk, encoding);
    if (done) process.nextTick(done);
    return true;
  };

  recorded.end = (chunk, encoding, callback) => {
    const done = callbackIn(chunk, encoding, callback);
    if (response.writableEnded || response.destroyed) {
      if (done) process.nextTick(done);
      return response;
    }
    response.flushHeaders();
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') keep(chunk, encoding);
    if (done) response.once('finish', done);
    recorded.finished = true;
    process.nextTick(finish, response, recorded);
    onEnd({
      status: response.statusCode,
      headers: written ? { ...response.getHeaders(), ...written } : response.getHeaders(),
      body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, kept),
      bytes,
    });
    return response;
  };
}

/** What Node's server does when the last byte of a response is out (`resOnFinish`). */
function finish(response: ServerResponse, recorded: NodeServerResponse): void {
  response.emit('prefinish');
  response.emit('finish');
  // An unread body is dumped, so that the request ends as well.
  if (!response.req.readableEnded) response.req.resume();
  process.nextTick(close, response, recorded);
}

function close(response: ServerResponse, recorded: NodeServerResponse): void {
  if (recorded._closed) return;
  recorded.destroyed = true;
  recorded._closed = true;
  response.emit('close');
}

/** The parts of a response that are set here: its methods, and what else Node's server sets. */
interface NodeServerResponse {
  finished: boolean;
  destroyed: boolean;
  _closed: boolean;
  writeHead: (status: number, ...rest: unknown[]) => ServerResponse;
  flushHeaders: () => void;
  write: (chunk: unknown, encoding?: unknown, callback?: unknown) => boolean;
  end: (chunk?: unknown, encoding?: unknown, callback?: unknown) => ServerResponse;
}

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

/** Headers given to `writeHead(status[, reason][, headers])`, as an object or in turn, lower-cased. */
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
