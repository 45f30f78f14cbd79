import { type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import { typeResolverOf } from './abstract-types.js';
import { resolverOf } from './field-resolver.js';

/**
 * Runs a compiler on a schema whose fields have the resolvers of this package and no arguments. graphql-jit
 * reads them while it compiles. It does that synchronously, and the schema is as before when this returns.
 */
export function withPreparedFields<T>(schema: GraphQLSchema, compile: () => T): T {
  const undo: (() => void)[] = [];
  const replace = (target: object, values: object, given: object) => {
    undo.push(() => Object.assign(target, given));
    Object.assign(target, values);
  };
  try {
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      if (isAbstractType(type)) {
        const { resolveType } = type;
        replace(type, { resolveType: typeResolverOf(schema, type) }, { resolveType });
      } else if (isObjectType(type)) {
        for (const field of Object.values(type.getFields())) {
          const { resolve, args } = field;
          replace(field, { resolve: resolverOf(field), args: [] }, { resolve, args });
        }
      }
    }
    return compile();
  } finally {
    for (const step of undo) step();
  }
}
