import { describe, expect, it } from '@jest/globals';
import { BadRequestException, type ExecutionContext } from '@nestjs/common';
import { lastValueFrom, throwError } from 'rxjs';
import { InvalidQueryError } from '../query.errors.js';
import { InvalidQueryInterceptor } from './invalid-query.interceptor.js';

describe('InvalidQueryInterceptor', () => {
  it('throws the exception in a resolver, which has no HTTP response', async () => {
    const context = { getType: () => 'graphql' } as Partial<ExecutionContext> as ExecutionContext;
    const error = new InvalidQueryError([{ kind: 'page', reason: 'malformed' }]);
    const answer = new InvalidQueryInterceptor().intercept(context, {
      handle: () => throwError(() => error),
    });
    const thrown: unknown = await lastValueFrom(answer).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(BadRequestException);
    expect(thrown).toMatchObject({ cause: error, response: { errors: error.errors } });
  });
});
