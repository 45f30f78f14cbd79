import { type ArgumentsHost, Catch } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { InvalidQueryError } from '../query.errors.js';
import { badRequestOf } from './bad-request.js';

/** Answers 400 to an invalid query, wherever in a request it shows. */
@Catch(InvalidQueryError)
export class InvalidQueryFilter extends BaseExceptionFilter<InvalidQueryError> {
  override catch(error: InvalidQueryError, host: ArgumentsHost): unknown {
    const exception = badRequestOf(error);
    // GraphQL resolvers and message handlers have no HTTP response; their exception is what a filter returns.
    if (host.getType() !== 'http') return exception;
    super.catch(exception as never, host);
    return undefined;
  }
}
