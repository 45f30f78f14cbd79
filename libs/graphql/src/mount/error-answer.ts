import { HttpException, HttpStatus } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { Protection } from '../operation/protection.js';

const RESPONSE_TYPE = 'application/graphql-response+json';

/**
 * Answers a request that reached no operation, in the form clients of GraphQL read: `{ errors }`
 * under the status of the exception, 500 for everything else (GraphQL over HTTP, §6.4).
 */
export function answerError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  protection: Protection,
): void {
  // Half an answer cannot be taken back: the client sees that it was cut off.
  if (res.headersSent) return void res.destroy();
  res.statusCode =
    error instanceof HttpException ? error.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
  // The rest of the body is not waited for (RFC 9110 §15.5.14).
  if (res.statusCode === Number(HttpStatus.PAYLOAD_TOO_LARGE)) res.setHeader('connection', 'close');
  const type = req.headers.accept?.includes(RESPONSE_TYPE) ? RESPONSE_TYPE : 'application/json';
  res.setHeader('content-type', `${type}; charset=utf-8`);
  res.end(JSON.stringify({ errors: [protection.format(asGraphqlError(error))] }));
}
