import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  Logger,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import { GraphQLError } from 'graphql';
import { asGraphqlError, formattedError } from './formatted-error.js';

const before = process.env['NODE_ENV'];
beforeAll(() => Logger.overrideLogger(false));
afterEach(() => void (process.env['NODE_ENV'] = before));

const thrown = (originalError: Error) =>
  new GraphQLError(originalError.message, { originalError, path: ['a'] });

describe.each(['test', 'production'])('formattedError() under NODE_ENV=%s', (environment) => {
  const format = (error: GraphQLError) => {
    process.env['NODE_ENV'] = environment;
    return formattedError(error);
  };

  it('keeps GraphQLErrors of GraphQL and of resolvers', () => {
    expect(format(new GraphQLError('No', { extensions: { code: 'MINE' } }))).toEqual({
      message: 'No',
      extensions: { code: 'MINE' },
    });
    expect(format(thrown(new GraphQLError('No'))).message).toBe('No');
  });

  it.each([
    [new UnauthorizedException('Who?'), 'UNAUTHENTICATED', 401],
    [new NotFoundException('Where?'), 'NOT_FOUND', 404],
    [new HttpException('What?', 422), 'BAD_USER_INPUT', 422],
    [new HttpException('Teapot?', 499), 'INTERNAL_SERVER_ERROR', 499],
    [new InternalServerErrorException('Ours'), 'INTERNAL_SERVER_ERROR', 500],
    [
      new BadRequestException({ message: 'Whose?', code: 'TENANT_NOT_RESOLVED' }),
      'TENANT_NOT_RESOLVED',
      400,
    ],
  ])('keeps the text of %s, with the code %s', (exception, code, status) => {
    const formatted = format(thrown(exception));
    expect(formatted).toMatchObject({ message: exception.message, path: ['a'] });
    expect(formatted.extensions).toMatchObject({ code, status });
  });

  it('shows clients that they nested too deeply', () => {
    const overflow = new RangeError('Maximum call stack size exceeded');
    const outside = asGraphqlError(overflow);
    const message = 'The document or the variables are nested too deeply';
    expect(format(outside)).toEqual({ message, extensions: { code: 'BAD_USER_INPUT' } });
    const parsing = new GraphQLError('', {
      originalError: outside,
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
    expect(format(parsing)).toEqual({ message, extensions: { code: 'GRAPHQL_PARSE_FAILED' } });
    for (const fault of [thrown(overflow), asGraphqlError(new RangeError('Invalid length'))]) {
      expect(format(fault).extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' });
    }
  });

  it.each([
    [{ expose: true, status: 400, code: 'MINE' }, 'MINE'],
    [{ expose: true, status: 422 }, 'BAD_USER_INPUT'],
    [{ expose: true, status: 500 }, undefined],
    [{ expose: false, status: 400 }, undefined],
    [{ status: 400, code: 'MINE' }, undefined],
  ])(
    'keeps the text of an error with %j only if it is exposed with a status of clients',
    (own, code) => {
      const { message, extensions } = format(thrown(Object.assign(new Error('own'), own)));
      const masked = environment === 'production' ? 'Internal server error' : 'own';
      expect(message).toBe(code === undefined ? masked : 'own');
      expect(extensions).toEqual(
        code === undefined ? { code: 'INTERNAL_SERVER_ERROR' } : { code, status: own.status },
      );
    },
  );

  it('sends the message of other errors only, and masks it in production', () => {
    const cause = Object.assign(new Error('secret'), { extensions: { password: 'secret' } });
    expect(format(thrown(cause))).toEqual({
      message: environment === 'production' ? 'Internal server error' : 'secret',
      path: ['a'],
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
    expect(format(asGraphqlError('secret')).message).toBe(
      environment === 'production' ? 'Internal server error' : 'secret',
    );
  });
});
