import { describe, expect, it } from '@jest/globals';
import { type ArgumentsHost, BadRequestException } from '@nestjs/common';
import { InvalidQueryError } from '../query.errors.js';
import { InvalidQueryFilter } from './invalid-query.filter.js';

describe('InvalidQueryFilter', () => {
  it('returns the exception without an HTTP response', () => {
    const host = { getType: () => 'graphql' } as Partial<ArgumentsHost> as ArgumentsHost;
    const error = new InvalidQueryError([{ kind: 'page', reason: 'malformed' }]);
    const given = new InvalidQueryFilter().catch(error, host);
    expect(given).toBeInstanceOf(BadRequestException);
    expect(given).toMatchObject({ cause: error, response: { errors: error.errors } });
  });
});
