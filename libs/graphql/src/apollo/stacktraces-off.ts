import type { GraphQLFormattedError } from 'graphql';
import { withoutStack } from '../operation/formatted-error.js';
import type { NestGraphqlModule } from '../nest-graphql-modules.js';
import { changeOptions } from '../mount/change-options.js';

/**
 * Sets Apollo's `includeStacktraceInErrorResponses` to false unless the application sets it, and removes
 * stacks in errors from other servers. Apollo's default sends stack traces, with file paths, unless NODE_ENV
 * is production or test. Call this before modules are initialized.
 */
export function turnStacktracesOff(graphqlModule: NestGraphqlModule): void {
  changeOptions(graphqlModule, withoutStacktraces);
}

function withoutStacktraces(options: Options): Options {
  if (options.includeStacktraceInErrorResponses) return options;
  const { formatError = (formatted) => formatted } = options;
  return {
    ...options,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => withoutStack(formatError(formatted, error)),
  };
}

interface Options {
  readonly includeStacktraceInErrorResponses?: boolean;
  readonly formatError?: (
    formatted: GraphQLFormattedError,
    error: unknown,
  ) => GraphQLFormattedError;
}
