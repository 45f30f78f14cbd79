import { type ArgumentsHost, Catch } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { InvalidQueryError } from '../query.errors.js';
import { badRequestOf } from './bad-request.js';

/** Answers 400 for an `InvalidQueryError` from any part of a request, such as a guard. */
@Catch(InvalidQueryError)
export class InvalidQueryFilter extends BaseExceptionFilter<InvalidQueryError> {
  override catch(error: InvalidQueryError, host: ArgumentsHost): unknown {
    const exception = badRequestOf(error);
    // GraphQL resolvers and message handlers have no HTTP response: Nest takes the returned exception.
    if (host.getType() !== 'http') return exception;
    super.catch(exception as never, host);
    return undefined;
  }
}
