import { BadRequestException, HttpStatus, NotAcceptableException } from '@nestjs/common';
import { InvalidQueryError, UnacceptableExportError } from '../query.errors.js';

/**
 * Converts the errors that a client causes to Nest's exceptions: an `InvalidQueryError` to a 400,
 * and an `UnacceptableExportError` to a 406. The body has Nest's format. For a 400, the body also
 * has the problems in `errors`. On NestJS 12, `errorCode` is also set. Returns other errors
 * unchanged.
 */
export function httpErrorOf(error: unknown): unknown {
  if (error instanceof InvalidQueryError) {
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
  if (error instanceof UnacceptableExportError) {
    return new NotAcceptableException(
      {
        statusCode: HttpStatus.NOT_ACCEPTABLE,
        message: error.message,
        error: 'Not Acceptable',
      },
      { cause: error, errorCode: error.code },
    );
  }
  return error;
}
