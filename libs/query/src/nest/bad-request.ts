import { BadRequestException, HttpStatus } from '@nestjs/common';
import { InvalidQueryError } from '../query.errors.js';

/** What a client is told of an invalid query: Nest's body for a 400, and `errors` to find the faults by. */
export function badRequestOf(error: InvalidQueryError): BadRequestException {
  return new BadRequestException(
    {
      statusCode: HttpStatus.BAD_REQUEST,
      message: error.message,
      error: 'Bad Request',
      errors: error.errors,
    },
    { cause: error },
  );
}

/** The error as it should be thrown: a 400 in place of an invalid query, all else as it is. */
export function httpErrorOf(error: unknown): unknown {
  return error instanceof InvalidQueryError ? badRequestOf(error) : error;
}
