import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { formattedError } from '../operation/formatted-error.js';

/**
 * For `formatError` of `GraphQLModule`: errors as a mount of this package tells them. Exceptions of
 * every status keep their text and have its code, and what broke inside is logged and, in
 * production (NODE_ENV), masked; Apollo of itself sends every text.
 */
export function formatApolloError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  // What Apollo itself has to say, such as of a document that does not hold, has no other error in it.
  return error instanceof GraphQLError && error.originalError !== undefined
    ? formattedError(error)
    : formatted;
}
