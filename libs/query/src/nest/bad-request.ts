import { BadRequestException, HttpStatus } from '@nestjs/common';
import { InvalidQueryError } from '../query.errors.js';

/**
 * Converts an `InvalidQueryError` to Nest's 400. The body has Nest's format, plus the problems in
 * `errors`. On NestJS 12, `errorCode` is also set. Returns other errors unchanged.
 */
export function httpErrorOf(error: unknown): unknown {
  if (!(error instanceof InvalidQueryError)) return error;
  return new BadRequestException(
    {
      statusCode: HttpStatus.BAD_REQUEST,
      message: error.message,
      error: 'Bad Request',
      errors: error.errors,
    },
    { cause: error, errorCode: error.code },
  );
}
