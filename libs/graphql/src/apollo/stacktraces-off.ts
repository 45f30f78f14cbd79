import type { GraphQLFormattedError } from 'graphql';
import { withoutStack } from '../operation/formatted-error.js';
import type { NestGraphqlModule } from '../subscriptions/nest-graphql-modules.js';

/**
 * Sets Apollo's `includeStacktraceInErrorResponses` to false unless the application sets it, and removes
 * stacks in errors from other servers. Apollo's default sends stack traces, with file paths, unless NODE_ENV
 * is production or test. Call this before modules are initialized.
 */
export function turnStacktracesOff({ module }: NestGraphqlModule): void {
  const driver = module.graphQlAdapter as unknown as Driver;
  const merge = driver.mergeDefaultOptions.bind(driver);
  driver.mergeDefaultOptions = (options, ...more) => merge(withoutStacktraces(options), ...more);
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

/** The members of a `@nestjs/graphql` driver that are used here. */
interface Driver {
  mergeDefaultOptions(options: Options, ...more: unknown[]): Promise<unknown>;
}

interface Options {
  readonly includeStacktraceInErrorResponses?: boolean;
  readonly formatError?: (
    formatted: GraphQLFormattedError,
    error: unknown,
  ) => GraphQLFormattedError;
}
