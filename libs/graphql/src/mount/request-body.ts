import { type BodyFault, isOwnOrigin, mediaTypeOf, readJsonBody } from '@fledge/core/packages';
import {
  BadRequestException,
  type HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyReadError } from '../graphql.errors.js';

/** Node's request. `body` is set if a parser has read it. */
export type BodyRequest = IncomingMessage & { body?: unknown };

/** Returns true for a JSON request that no parser has read. */
export function hasUnreadJson(req: BodyRequest): boolean {
  return (
    req.body === undefined &&
    req.method === 'POST' &&
    !req.readableEnded &&
    mediaTypeOf(req.headers['content-type']) === 'application/json'
  );
}

/**
 * Returns true if a mount may serve a request before the platform. Excludes requests from pages of
 * other origins, because such requests need the application's CORS. Excludes requests for event
 * streams, so the middleware of the application runs for them. But a runtime may also send an event
 * stream to a client that accepts any type.
 */
export function isOperation(req: BodyRequest): boolean {
  const { accept, origin, host } = req.headers;
  return (
    hasUnreadJson(req) &&
    (origin === undefined || isOwnOrigin(origin, host)) &&
    !/event-stream|multipart/i.test(accept ?? '')
  );
}

/**
 * Reads the body as JSON into `req.body`. If the body is empty, `req.body` stays undefined.
 * @param limit maximum bytes
 * @throws BadRequestException if the body is incomplete, or not valid JSON in its charset
 * @throws PayloadTooLargeException if the body is larger than the limit
 * @throws UnsupportedMediaTypeException for a compressed body or an unknown charset
 */
export function readJson(req: BodyRequest, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    readJsonBody(req, { limit }, (read) => {
      if (read.fault === undefined) req.body = read.body;
      if (read.fault === undefined || read.fault === 'empty') resolve();
      else reject(exceptionOf(read.fault, req, limit));
    });
  });
}

function exceptionOf(fault: BodyFault, { headers }: BodyRequest, limit: number): HttpException {
  switch (fault) {
    case 'too-large':
      return tooLarge(limit);
    case 'encoded':
      return new UnsupportedMediaTypeException(
        `The body is compressed (${headers['content-encoding']}). Send an uncompressed body.`,
      );
    case 'unknown-charset':
      return new UnsupportedMediaTypeException(
        'The charset of the body is unknown. Send the body in UTF-8.',
      );
    case 'gone':
      return new BadRequestException('The body ended before it was complete');
    default:
      return new BadRequestException('Unparsable JSON body');
  }
}

/**
 * Calls `refuse` if a runtime reads a body that was already read. Otherwise, the runtime would wait
 * forever, because the stream has ended.
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
