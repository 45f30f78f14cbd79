import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { type CompiledRun, keyOfPath } from './compiled-run.js';
import { asError } from './thrown.js';

/**
 * Returns the resolver of an abstract type for compiled operations: graphql-js' default, by `__typename`. It
 * records errors instead of throwing them, with the texts of graphql-js. Types with a resolver of their own,
 * or with `isTypeOf`, are not compiled: both may be asynchronous, which graphql-jit does not support.
 */
export function typeResolverOf(schema: GraphQLSchema, type: GraphQLAbstractType) {
  return (
    value: unknown,
    run: CompiledRun,
    { path, parentType, fieldName }: GraphQLResolveInfo,
  ): string | undefined => {
    try {
      const name = (value as { readonly __typename?: unknown }).__typename;
      const fault = faultOf(name, `${parentType.name}.${fieldName}`);
      if (fault === undefined) return name as string;
      throw fault;
    } catch (error) {
      run.typeErrors ??= new Map();
      run.typeErrors.set(keyOfPath(keysOf(path)), asError(error));
      return undefined;
    }
  };

  function faultOf(name: unknown, field: string): GraphQLError | undefined {
    const must = `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${field}".`;
    if (typeof name !== 'string') {
      return new GraphQLError(
        `${must} Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      );
    }
    const found = schema.getType(name);
    const was = `Abstract type "${type.name}" was resolved to a`;
    if (found === undefined) {
      return new GraphQLError(`${was} type "${name}" that does not exist inside the schema.`);
    }
    if (!isObjectType(found)) return new GraphQLError(`${was} non-object type "${name}".`);
    if (schema.isSubType(type, found)) return undefined;
    return new GraphQLError(
      `Runtime Object type "${name}" is not a possible type for "${type.name}".`,
    );
  }
}

function keysOf(path: GraphQLResolveInfo['path'] | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.prev) keys.unshift(at.key);
  return keys;
}
