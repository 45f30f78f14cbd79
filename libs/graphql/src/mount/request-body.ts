import {
  BadRequestException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyReadError } from '../graphql.errors.js';

/** Node's request, with `body` if a parser has read it. */
export type BodyRequest = IncomingMessage & { body?: unknown };

/** Returns true for a JSON request that no parser has read. */
export function hasUnreadJson(req: BodyRequest): boolean {
  return (
    req.body === undefined &&
    req.method === 'POST' &&
    !req.readableEnded &&
    mediaTypeOf(req) === JSON_TYPE
  );
}

/**
 * Reads the body as JSON into `req.body`. An empty body stays undefined.
 * @param limit maximum bytes
 * @throws BadRequestException unless the body is JSON in UTF-8 (RFC 8259 §8.1)
 * @throws PayloadTooLargeException above the limit
 * @throws UnsupportedMediaTypeException for a compressed body
 */
export function readJson(req: BodyRequest, limit: number): Promise<void> {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return Promise.reject(
      new UnsupportedMediaTypeException(
        `The body is compressed (${encoding}). Send it uncompressed.`,
      ),
    );
  }
  return bytesOf(req, limit).then((bytes) => {
    if (bytes.length > 0) req.body = jsonOf(bytes);
  });
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes));
  } catch {
    throw new BadRequestException('Unparsable JSON body');
  }
}

/**
 * Calls `refuse` when a runtime starts to read a body that was read before. Its stream has ended, so the
 * runtime would wait without end.
 */
export function whenReadAgain(
  req: IncomingMessage,
  res: ServerResponse,
  refuse: (error: BodyReadError) => void,
): void {
  const look = (event: string | symbol) => {
    if ((event !== 'data' && event !== 'readable') || !req.readableEnded) return;
    req.off('newListener', look);
    if (!res.headersSent) refuse(new BodyReadError());
  };
  req.on('newListener', look);
}

export function tooLarge(limit: number): PayloadTooLargeException {
  return new PayloadTooLargeException(`The body is larger than ${limit} bytes`);
}

const JSON_TYPE = 'application/json';

/** Returns the media type of a body in lower case, without parameters; '' without one. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

function bytesOf(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > limit) return reject(tooLarge(limit));
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (settled: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settled();
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      // Node discards the rest when the response is sent.
      if (length > limit) settle(() => reject(tooLarge(limit)));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, length)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () =>
      settle(() => reject(new BadRequestException('The body ended before it was complete')));
    req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
