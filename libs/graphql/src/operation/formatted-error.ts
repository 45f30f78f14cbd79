import { HttpException, HttpStatus, Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

const logger = new Logger('GraphQL');

/** The codes that Apollo's clients know (`ApolloServerErrorCode` and its like); the others are Nest's names. */
const CODES: Readonly<Record<number, string>> = {
  [HttpStatus.UNAUTHORIZED]: 'UNAUTHENTICATED',
  [HttpStatus.UNPROCESSABLE_ENTITY]: 'BAD_USER_INPUT',
};

/**
 * An error as a client may see it. What was thrown for clients keeps its text: a GraphQLError, and an
 * HttpException, whose status becomes `extensions.code`. Everything else is logged; in production
 * (NODE_ENV) its text is not sent.
 */
export function formattedError(error: GraphQLError): GraphQLFormattedError {
  const thrown = thrownBy(error);
  if (thrown === undefined) return error.toJSON();
  const { message, locations, path } = error;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  // Of a value that does not fit, such as of a scalar of the application: no resolver has run.
  if (path === undefined && error.nodes !== undefined) {
    return { message, ...place, extensions: { code: 'BAD_USER_INPUT', ...error.extensions } };
  }
  if (thrown instanceof HttpException) {
    return { message: thrown.message, ...place, extensions: extensionsOf(thrown) };
  }
  logger.error(thrown.stack ?? thrown.message);
  return {
    message: process.env['NODE_ENV'] === 'production' ? 'Internal server error' : message,
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}

/** An error that came up outside of an operation, such as in a context decorator, as a GraphQL one. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** What a resolver threw, where that was no GraphQLError; undefined for errors of GraphQL itself. */
function thrownBy(error: GraphQLError): Error | undefined {
  let thrown: Error | undefined = error;
  while (thrown instanceof GraphQLError) thrown = thrown.originalError;
  return thrown;
}

function extensionsOf(exception: HttpException): Record<string, unknown> {
  const status = exception.getStatus();
  const body = exception.getResponse();
  const own = typeof body === 'object' ? (body as { code?: unknown }).code : undefined;
  const code =
    typeof own === 'string'
      ? own
      : (CODES[status] ?? HttpStatus[status] ?? 'INTERNAL_SERVER_ERROR');
  return { code, status, ...(typeof body === 'object' && { originalError: body }) };
}
