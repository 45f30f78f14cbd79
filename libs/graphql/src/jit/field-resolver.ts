import {
  getArgumentValues,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
} from 'graphql';
import type { CompiledRun } from './compiled-run.js';
import { listCompleter } from './list-values.js';
import { isPromise, rethrow } from './thrown.js';

/**
 * Returns the resolver of a field for compiled operations. It passes on the arguments and the `info` of
 * graphql-js, and values that graphql-jit completes without throwing: an error in its generated code would
 * end the process.
 */
export function resolverOf(
  field: GraphQLField<unknown, unknown>,
): GraphQLFieldResolver<unknown, CompiledRun> {
  const { name } = field;
  const complete = listCompleter(field.type);

  return (source, _args, run, info) => {
    try {
      const value = resolve(source, run, info);
      if (isPromise(value)) {
        const settled = value instanceof Promise ? value : Promise.resolve(value);
        return settled.then(complete, rethrow);
      }
      return complete === undefined ? value : complete(value);
    } catch (error) {
      rethrow(error);
    }
  };

  function resolve(source: unknown, run: CompiledRun, info: GraphQLResolveInfo): unknown {
    // Read at each call: graphql-js does, and instrumentation replaces resolvers.
    const own = field.resolve;
    if (own === undefined) {
      if (!isObjectLike(source)) return undefined;
      const property = source[name];
      if (typeof property !== 'function') return property;
      return (source as Methods)[name]!(
        argumentsOf(run, info),
        run.contextValue,
        infoOf(run, info),
      );
    }
    return own(source, argumentsOf(run, info), run.contextValue, infoOf(run, info));
  }

  function argumentsOf({ variableValues }: CompiledRun, { fieldNodes }: GraphQLResolveInfo) {
    return field.args.length === 0 ? {} : getArgumentValues(field, fieldNodes[0]!, variableValues);
  }
}

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Completes the `info` that graphql-jit creates for each call. */
function infoOf({ variableValues }: CompiledRun, info: GraphQLResolveInfo): GraphQLResolveInfo {
  return Object.assign(info, { variableValues });
}

function isObjectLike(value: unknown): value is Record<string, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
