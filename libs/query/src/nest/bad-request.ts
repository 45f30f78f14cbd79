import { BadRequestException, HttpStatus } from '@nestjs/common';
import { InvalidQueryError } from '../query.errors.js';

/**
 * Converts an `InvalidQueryError` to a 400 with Nest's body for bad requests and the problems in
 * `errors`. `errorCode` is set on NestJS 12. Returns other errors unchanged.
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
