import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  asGraphqlError,
  formattedError,
  thrownBy,
  withoutInternals,
} from '../operation/formatted-error.js';

/**
 * For `formatError` of `GraphQLModule`. Formats errors as `GraphqlMountModule` does: an HttpException keeps its
 * text and gets the code of its status. Other errors are logged and, in production (NODE_ENV), masked. Without
 * it, Apollo sends the text of each error.
 */
export function formatApolloError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  if (isForClients(error)) return withoutInternals(formatted);
  return withoutInternals(formattedError(asThrown(error)));
}

/** Returns true for errors of GraphQL and Apollo, and for a GraphQLError that a resolver throws. */
function isForClients(error: unknown): boolean {
  return error instanceof GraphQLError && thrownBy(error) === undefined && !isWrappedValue(error);
}

/** Returns true if a resolver threw a value that is not an Error. Apollo puts it into the text of a GraphQLError. */
function isWrappedValue({ message, path }: GraphQLError): boolean {
  return path === undefined && message.startsWith('Unexpected error value: ');
}

function asThrown(error: unknown): GraphQLError {
  if (!(error instanceof GraphQLError)) return asGraphqlError(error);
  return isWrappedValue(error) ? asGraphqlError(new Error(error.message)) : error;
}
