import { HttpException, HttpStatus } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationProtection } from '../operation/served-schema.js';
import { errorType } from '../runtime/error-type.js';

/**
 * Answers a request that failed before its operation with `{ errors }` and the status of the exception, or
 * 500 (GraphQL over HTTP, §6.4).
 */
export function answerError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  protection: OperationProtection,
): void {
  // Part of the response is sent. Cut the connection, so the client sees that the rest is missing.
  if (res.headersSent) return void res.destroy();
  res.statusCode =
    error instanceof HttpException ? error.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
  // The server does not wait for the rest of the body (RFC 9110 §15.5.14).
  if (res.statusCode === Number(HttpStatus.PAYLOAD_TOO_LARGE)) res.setHeader('connection', 'close');
  res.setHeader('content-type', `${errorType(req.headers.accept)}; charset=utf-8`);
  res.end(JSON.stringify({ errors: [protection.format(asGraphqlError(error))] }));
}
