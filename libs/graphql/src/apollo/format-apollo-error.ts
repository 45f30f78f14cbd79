import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import {
  asGraphqlError,
  formattedError,
  thrownBy,
  withoutInternals,
  withoutStack,
  withoutSuggestion,
  writable,
} from '../operation/formatted-error.js';

/**
 * Use as `formatError` of `GraphQLModule`. Formats errors as `GraphqlMountModule` does. An
 * HttpException keeps its message, and its status determines `extensions.code`. Other errors are
 * logged, and masked in production (NODE_ENV). Without this function, Apollo sends the message of
 * every error to clients.
 */
export function formatApolloError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const isWrapped = isWrappedValue(error);
  if (error instanceof GraphQLError && !isWrapped && thrownBy(error) === undefined) {
    return writable(withoutInternals(formatted));
  }
  const thrown = isWrapped ? new Error(error.message) : error;
  return writable(withoutInternals(formattedError(asGraphqlError(thrown))));
}

/**
 * Returns true if a resolver threw a value that is not an Error. Apollo adds that value to the
 * message of a GraphQLError.
 */
function isWrappedValue(error: unknown): error is GraphQLError {
  return (
    error instanceof GraphQLError &&
    error.path === undefined &&
    error.message.startsWith('Unexpected error value: ')
  );
}

/**
 * Removes details of the application from errors. Call this before modules are initialized.
 *
 * Sets Apollo's `includeStacktraceInErrorResponses` to false, unless the application sets this
 * option. By default, Apollo sends stack traces with file paths, unless NODE_ENV is production or
 * test. Also removes stacks in errors from other servers. If introspection is off, removes the
 * schema names that graphql-js suggests for a misspelled name. Apollo sends these names unless
 * `hideSchemaDetailsFromClientErrors` is set.
 */
export function hideDetails(graphqlModule: NestGraphqlModule): void {
  changeOptions<Options>(graphqlModule, (options) => {
    // Apollo has the same default.
    const introspection = options.introspection ?? process.env['NODE_ENV'] !== 'production';
    const withStacks = options.includeStacktraceInErrorResponses === true;
    if (introspection && withStacks) return options;
    const { formatError = (formatted) => formatted } = options;
    return {
      ...options,
      includeStacktraceInErrorResponses: withStacks,
      formatError: (formatted, error) => {
        const sent = formatError(formatted, error);
        const plain = withStacks ? sent : withoutStack(sent);
        return introspection ? plain : withoutSuggestion(plain);
      },
    };
  });
}

interface Options {
  readonly introspection?: boolean;
  readonly includeStacktraceInErrorResponses?: boolean;
  readonly formatError?: (
    formatted: GraphQLFormattedError,
    error: unknown,
  ) => GraphQLFormattedError;
}
