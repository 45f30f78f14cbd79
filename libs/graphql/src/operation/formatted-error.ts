import { HttpException, HttpStatus, Logger } from '@nestjs/common';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

const logger = new Logger('GraphQL');

const MASKED = 'Internal server error';

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
  if (thrown === undefined) return withoutStack(error.toJSON());
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
    message: process.env['NODE_ENV'] === 'production' ? MASKED : message,
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

/** The option `formatError`. */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: GraphQLError,
) => GraphQLFormattedError;

/** What `formatError` of an application makes of an error; if it fails, an error that tells nothing. */
export function lastWord(
  formatError: FormatError,
  formatted: GraphQLFormattedError,
  error: GraphQLError,
): GraphQLFormattedError {
  // A copy, because `toJSON()` returns the extensions of the error itself, which others may share.
  const extensions = formatted.extensions && { ...formatted.extensions };
  try {
    const changed = formatError({ ...formatted, ...(extensions && { extensions }) }, error);
    // Applications in JavaScript may return anything, such as the promise of an async function.
    if (typeof (changed as Partial<GraphQLFormattedError> | undefined)?.message === 'string') {
      return changed;
    }
    throw new TypeError('formatError must return an object with a message, and no promise.');
  } catch (failure) {
    logger.error(failure instanceof Error ? (failure.stack ?? failure.message) : failure);
    return { message: MASKED, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  }
}

/** Removes what Apollo Server and Yoga keep in `extensions` for themselves: stacks, and the HTTP head. */
export function withoutInternals(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { http, ...extensions } = formatted.extensions ?? {};
  return withoutStack(http === undefined ? formatted : { ...formatted, extensions });
}

/** Removes the stack that another GraphQL server may have written into an error. */
export function withoutStack(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { stacktrace, exception, ...extensions } = formatted.extensions ?? {};
  // Apollo Server 2 and 3 put it there.
  const inside = (exception as { stacktrace?: unknown } | null | undefined)?.stacktrace;
  if (stacktrace === undefined && inside === undefined) return formatted;
  return { ...formatted, extensions };
}

/** What a resolver threw, unless it was a GraphQLError; undefined for errors of GraphQL itself. */
export function thrownBy(error: GraphQLError): Error | undefined {
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
