import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  asGraphqlError,
  formattedError,
  thrownBy,
  withoutInternals,
} from '../operation/formatted-error.js';

/**
 * For `formatError` of `GraphQLModule`: formats errors as a mount of this package does. An exception
 * keeps its text and gets the code of its status. Any other thrown error is logged and, in production
 * (NODE_ENV), masked. Apollo itself sends every text.
 */
export function formatApolloError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  if (isForClients(error)) return withoutInternals(formatted);
  return withoutInternals(formattedError(asThrown(error)));
}

/** True for errors of GraphQL and of Apollo, and for a GraphQLError that a resolver throws. */
function isForClients(error: unknown): boolean {
  return error instanceof GraphQLError && thrownBy(error) === undefined && !isWrappedValue(error);
}

/** Apollo puts a thrown value that is no Error into the text of a GraphQLError. */
function isWrappedValue({ message, path }: GraphQLError): boolean {
  return path === undefined && message.startsWith('Unexpected error value: ');
}

function asThrown(error: unknown): GraphQLError {
  if (!(error instanceof GraphQLError)) return asGraphqlError(error);
  return isWrappedValue(error) ? asGraphqlError(new Error(error.message)) : error;
}
