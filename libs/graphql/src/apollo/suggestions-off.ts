import type { GraphQLFormattedError } from 'graphql';
import { changeOptions } from '../mount/change-options.js';
import { withoutSuggestion } from '../operation/formatted-error.js';
import type { NestGraphqlModule } from '../nest-graphql-modules.js';

/**
 * Removes the names of the schema that graphql-js suggests for a misspelled one, where introspection is off: Apollo
 * sends them then too, unless `hideSchemaDetailsFromClientErrors` is set. Call this before modules are initialized.
 */
export function turnSuggestionsOff(graphqlModule: NestGraphqlModule): void {
  changeOptions(graphqlModule, withoutSuggestions);
}

function withoutSuggestions(options: Options): Options {
  // Apollo's default.
  if (options.introspection ?? process.env['NODE_ENV'] !== 'production') return options;
  const { formatError = (formatted) => formatted } = options;
  return {
    ...options,
    formatError: (formatted, error) => withoutSuggestion(formatError(formatted, error)),
  };
}

interface Options {
  readonly introspection?: boolean;
  readonly formatError?: (
    formatted: GraphQLFormattedError,
    error: unknown,
  ) => GraphQLFormattedError;
}
