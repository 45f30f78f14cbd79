import type { IncomingMessage } from 'node:http';
import { isTooDeep } from '../protocol/json-depth.js';
import { INVALID_JSON, NOT_JSON, type Refusal, TOO_DEEP, tooLarge } from './http.answers.js';

export type Read =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client went away before its message was whole. */
  | { readonly kind: 'gone' };

/**
 * Reads the JSON of a POST.
 * @param limit bytes it may have
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Read> {
  return new Promise((resolve) => read(request, limit, resolve));
}

function read(request: IncomingMessage, limit: number, done: (read: Read) => void): void {
  const { headers } = request;
  if (!isJson(headers['content-type'])) return done({ kind: 'refused', refusal: NOT_JSON });
  const body = bodyParsedBefore(request);
  if (body !== undefined) return done({ kind: 'body', body });
  const refused: Read = { kind: 'refused', refusal: tooLarge(limit) };
  if (Number(headers['content-length']) > limit) return done(refused);

  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      request.pause();
      done(refused);
    } else {
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
    done(parse(bytes.toString()));
  });
  request.on('close', () => done({ kind: 'gone' }));
  request.on('error', () => done({ kind: 'gone' }));
}

function parse(text: string): Read {
  if (isTooDeep(text)) return { kind: 'refused', refusal: TOO_DEEP };
  try {
    return { kind: 'body', body: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'refused', refusal: INVALID_JSON };
  }
}

/** The media type alone decides, never a parameter that contains the words. */
function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/** What a body parser that the application put before us made of the body; it can be read only once. */
function bodyParsedBefore(request: IncomingMessage & { body?: unknown }): unknown {
  return request.readableEnded ? request.body : undefined;
}
