import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { TextDecoder } from 'node:util';
import { bodyDecoder } from '../messages/body-decoder.js';
import { isTooDeep, nestsTooDeep } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import {
  BODY_CONSUMED,
  ENCODED,
  INVALID_JSON,
  NOT_JSON,
  type Refusal,
  TOO_DEEP,
  tooLarge,
  UNKNOWN_CHARSET,
} from '../messages/refusals.js';

export type Read =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client disconnected before its message was complete. */
  | { readonly kind: 'gone' };

/** Where the body is, if it is not on Node's request. */
export interface BodySource {
  /** The stream to read. A Fastify hook may have replaced it. */
  readonly payload?: Readable | undefined;
  /** The platform's request. A hook may have stored the body on it. */
  readonly request?: BodyHolder;
}

interface BodyHolder {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Reads the JSON of a POST, from the stream or from the value that an earlier body parser stored.
 * @param limit maximum size in bytes
 * @param onRead called once
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  { payload: stream = request, request: platform = {} }: BodySource = {},
  onRead: (read: Read) => void,
): void {
  let isDone = false;
  const done = (read: Read) => {
    if (isDone) return;
    isDone = true;
    onRead(read);
  };
  const { headers } = request;
  if (!isJson(headers['content-type'])) return done(refused(NOT_JSON));
  const decoder = bodyDecoder(headers['content-type']);
  if (decoder === undefined) return done(refused(UNKNOWN_CHARSET));
  if (stream === request && Number(headers['content-length']) > limit) {
    return done(refused(tooLarge(limit)));
  }
  const readBefore = () => done(leftBody([platform, request as BodyHolder], limit, decoder));
  if (stream.readableEnded) return readBefore();
  const gone = () => done({ kind: 'gone' });
  if (stream.destroyed) return gone();
  stream.on('close', gone);
  stream.on('error', gone);
  if (stream !== request) request.on('close', () => request.complete || gone());
  if (stream.readableDidRead) {
    // Other code is reading the stream, so the rest is not a complete message. That code may store the
    // body.
    stream.on('end', readBefore);
    stream.resume();
  } else {
    // A hook that replaced the stream has decoded it.
    if (stream === request && isCompressed(headers)) return done(refused(ENCODED));
    collect(stream, limit, decoder, done);
  }
}

function collect(
  stream: Readable,
  limit: number,
  decoder: TextDecoder,
  done: (read: Read) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      stream.pause();
      done(refused(tooLarge(limit)));
    } else {
      chunks.push(chunk);
    }
  });
  stream.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
    done(parse(decoder.decode(bytes)));
  });
}

/** The body that earlier code has read and stored: parsed, as bytes or as text. */
function leftBody(holders: readonly BodyHolder[], limit: number, decoder: TextDecoder): Read {
  for (const left of holders.flatMap(({ body, rawBody }) => [body, rawBody])) {
    if (typeof left === 'string' || Buffer.isBuffer(left)) {
      if (Buffer.byteLength(left) > limit) return refused(tooLarge(limit));
      return parse(typeof left === 'string' ? left : decoder.decode(left));
    }
    // Some parsers store an empty object if they parsed nothing.
    if (Array.isArray(left) || (isRecord(left) && Object.keys(left).length > 0)) {
      return nestsTooDeep(left) ? refused(TOO_DEEP) : { kind: 'body', body: left };
    }
  }
  return refused(BODY_CONSUMED);
}

function parse(text: string): Read {
  if (isTooDeep(text)) return refused(TOO_DEEP);
  try {
    return { kind: 'body', body: JSON.parse(text) as unknown };
  } catch {
    return refused(INVALID_JSON);
  }
}

function refused(refusal: Refusal): Read {
  return { kind: 'refused', refusal };
}

function isCompressed({ 'content-encoding': coding = '' }: IncomingHttpHeaders): boolean {
  return coding !== '' && coding.toLowerCase() !== 'identity';
}

/** Compares the media type only, not its parameters, which may contain the same words. */
function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}
