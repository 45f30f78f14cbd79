import { GraphQLError } from 'graphql';
import { thrownBy } from './formatted-error.js';

/**
 * Whether deeply nested variables overflowed the stack of graphql-js: 16 reports the RangeError itself,
 * 17 wraps it. One that a resolver threw has a path.
 */
export function isOverflow(error: Error): boolean {
  if (!(error instanceof GraphQLError)) return error instanceof RangeError;
  return error.path === undefined && thrownBy(error) instanceof RangeError;
}

/** Runs a check that reads a document or variables by recursion. */
export function withinStack(
  what: 'document' | 'variables',
  check: () => GraphQLError | undefined,
): GraphQLError | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) return tooDeep(what);
    throw error;
  }
}

/** The error for a stack overflow: graphql-js reads documents and variables by recursion. */
export function tooDeep(what: 'document' | 'variables'): GraphQLError {
  const verb = what === 'document' ? 'is' : 'are';
  return new GraphQLError(`The ${what} ${verb} nested too deeply`, {
    extensions: { code: what === 'document' ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT' },
  });
}
