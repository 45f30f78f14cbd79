import type { GraphQLError } from 'graphql';

/** The values of one run of a compiled operation. graphql-jit passes it to resolvers as their context. */
export interface CompiledRun {
  readonly contextValue: unknown;
  readonly variableValues: Record<string, unknown>;
  /** Errors of the types of values, by the path of the value. Undefined until there is one. */
  typeErrors: Map<string, Error> | undefined;
}

/** The key of a path in `typeErrors`. */
export function keyOfPath(path: GraphQLError['path']): string {
  return (path ?? []).join('.');
}
