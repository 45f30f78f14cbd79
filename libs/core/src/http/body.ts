import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { bodyDecoder, mediaTypeOf } from './content-type.js';

/** A parsed body, or the reason why there is none. */
export type JsonBody =
  | { readonly body: unknown; readonly fault?: undefined }
  | { readonly fault: BodyFault };

export type BodyFault =
  /** The media type is not application/json. */
  | 'not-json'
  /** Node.js cannot decode the charset. */
  | 'unknown-charset'
  /** The body has a content coding, such as gzip. */
  | 'encoded'
  | 'too-large'
  /** The body has no bytes. */
  | 'empty'
  | 'invalid-json'
  | 'too-deep'
  /** Other code read the stream, but stored no body. */
  | 'consumed'
  /** The client disconnected before the body was complete. */
  | 'gone';

export interface JsonBodyOptions {
  /** Maximum size in bytes. */
  readonly limit: number;
  /**
   * The stream to read. A Fastify hook may have replaced the request with a decoded stream.
   * @default the request
   */
  readonly stream?: Readable | undefined;
  /** The platform's request. Earlier code may have stored the body on it. @default the request */
  readonly platform?: BodyHolder | undefined;
  /**
   * Called with a string before it is parsed, or with a value that earlier code parsed. Return true
   * to reject the body.
   * @default accepts all
   */
  readonly isTooDeep?: (body: unknown) => boolean;
}

interface BodyHolder {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Reads the JSON of a request, from its stream or from a value that a body parser stored earlier.
 * If the result is `too-large`, the rest of the body is read and discarded.
 * @param onRead called once, during this call or in an event of the stream
 */
export function readJsonBody(
  request: IncomingMessage,
  options: JsonBodyOptions,
  onRead: (read: JsonBody) => void,
): void {
  const { stream = request, limit, platform = {}, isTooDeep = never } = options;
  const { headers } = request;
  let isDone = false;
  const done = (read: JsonBody) => {
    if (isDone) return;
    isDone = true;
    stream.off('close', gone);
    onRead(read);
  };
  const fail = (fault: BodyFault) => done({ fault });
  const gone = () => fail('gone');
  if (mediaTypeOf(headers['content-type']) !== 'application/json') return fail('not-json');
  const decoder = bodyDecoder(headers['content-type'], { fatal: true });
  if (decoder === undefined) return fail('unknown-charset');
  const source = { limit, decoder, isTooDeep };
  if (stream === request && Number(headers['content-length']) > limit) return fail('too-large');
  const readBefore = () => done(storedBody([platform, request as BodyHolder], source));
  if (stream.readableEnded) return readBefore();
  if (stream.destroyed) return gone();
  stream.on('close', gone);
  // A stream of the platform, for example of a decompressor, also fails if the body is malformed.
  stream.on('error', () => (stream === request ? gone() : fail('invalid-json')));
  if (stream !== request) request.on('close', () => request.complete || gone());
  if (stream.readableDidRead) {
    // Other code is reading the stream, so the rest of the stream is not a complete body. The other
    // code may store the body.
    stream.on('end', readBefore);
    stream.resume();
  } else if (stream === request && isEncoded(headers['content-encoding'])) {
    fail('encoded');
  } else {
    collectBytes(stream, limit, (bytes) => done(parsedBytes(bytes, source)));
  }
}

/**
 * Reads the bytes of a request that no other code has read. If the result is `too-large`, the rest
 * of the body is read and discarded.
 * @param limit maximum size in bytes
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | Extract<BodyFault, 'too-large' | 'gone'>> {
  return new Promise((resolve) => {
    const gone = () => resolve('gone');
    if (request.destroyed) return gone();
    request.on('close', gone).on('error', gone);
    collectBytes(request, limit, (bytes) => {
      request.off('close', gone).off('error', gone);
      resolve(bytes ?? 'too-large');
    });
  });
}

interface Source {
  readonly limit: number;
  readonly decoder: TextDecoder;
  readonly isTooDeep: (body: unknown) => boolean;
}

/** @param onEnd receives undefined if the stream has more bytes than the limit */
function collectBytes(
  stream: Readable,
  limit: number,
  onEnd: (bytes: Buffer | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (bytes?: Buffer) => {
    // Otherwise, the request would keep the chunks until its response ends. An event stream may take
    // hours.
    stream.off('data', add).off('end', join);
    onEnd(bytes);
  };
  const add = (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > limit) finish();
  };
  const join = () => finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
  stream.on('data', add).on('end', join);
  // A hook may have paused the stream.
  stream.resume();
}

/** Returns the body that earlier code has stored: parsed, as bytes or as a string. */
function storedBody(holders: readonly BodyHolder[], source: Source): JsonBody {
  for (const stored of holders.flatMap(({ body, rawBody }) => [body, rawBody])) {
    if (typeof stored === 'string' || Buffer.isBuffer(stored)) {
      if (Buffer.byteLength(stored) > source.limit) return { fault: 'too-large' };
      return typeof stored === 'string' ? parsedText(stored, source) : parsedBytes(stored, source);
    }
    // Some parsers store an empty object if they parsed nothing.
    if (typeof stored === 'object' && stored !== null && !isEmptyObject(stored)) {
      return source.isTooDeep(stored) ? { fault: 'too-deep' } : { body: stored };
    }
  }
  return { fault: 'consumed' };
}

/** @param bytes undefined if the body is larger than the limit */
function parsedBytes(bytes: Buffer | undefined, source: Source): JsonBody {
  if (bytes === undefined) return { fault: 'too-large' };
  if (bytes.length === 0) return { fault: 'empty' };
  try {
    return parsedText(source.decoder.decode(bytes), source);
  } catch {
    return { fault: 'invalid-json' };
  }
}

function parsedText(text: string, { isTooDeep }: Source): JsonBody {
  if (isTooDeep(text)) return { fault: 'too-deep' };
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { fault: 'invalid-json' };
  }
}

function isEmptyObject(value: object): boolean {
  return !Array.isArray(value) && Object.keys(value).length === 0;
}

function isEncoded(coding = ''): boolean {
  return coding !== '' && coding.toLowerCase() !== 'identity';
}

function never(): boolean {
  return false;
}
