import type { GraphQLFormattedError } from 'graphql';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import { withoutStack, withoutSuggestion } from '../operation/formatted-error.js';

/**
 * Keeps details of the application out of errors. Call this before modules are initialized.
 *
 * Sets Apollo's `includeStacktraceInErrorResponses` to false unless the application sets it, and removes stacks in errors
 * from other servers: Apollo's default sends stack traces, with file paths, unless NODE_ENV is production or test. Where
 * introspection is off, removes the names of the schema that graphql-js suggests for a misspelled one, which Apollo sends
 * unless `hideSchemaDetailsFromClientErrors` is set.
 */
export function hideDetails(graphqlModule: NestGraphqlModule): void {
  changeOptions<Options>(graphqlModule, (options) => {
    // Apollo's default.
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
