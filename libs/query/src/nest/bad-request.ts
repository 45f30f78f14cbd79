import { BadRequestException, HttpStatus } from '@nestjs/common';
import { InvalidQueryError } from '../query.errors.js';

/** The 400 for an invalid query: Nest's body for bad requests, plus `errors` with the problems. `errorCode` is set on NestJS 12. */
export function badRequestOf(error: InvalidQueryError): BadRequestException {
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

/** Converts an `InvalidQueryError` to a 400. Returns other errors unchanged. */
export function httpErrorOf(error: unknown): unknown {
  return error instanceof InvalidQueryError ? badRequestOf(error) : error;
}
