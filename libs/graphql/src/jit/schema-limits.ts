import {
  getNamedType,
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
} from 'graphql';
import type { PlainLimits } from './plain-operation.js';

type SchemaLimits = Pick<PlainLimits, 'refusedFields' | 'reservedWords'>;

const known = new WeakMap<GraphQLSchema, SchemaLimits>();

/** Returns the names of a schema that graphql-jit would confuse, and the fields that it does not support. */
export function schemaLimits(schema: GraphQLSchema): SchemaLimits {
  let limits = known.get(schema);
  if (limits === undefined) known.set(schema, (limits = limitsOf(schema)));
  return limits;
}

function limitsOf(schema: GraphQLSchema): SchemaLimits {
  const reservedWords = new Set<string>();
  const refusedFields = new Set<string>();
  /** Fields by the name of their type and their own, which graphql-jit joins: `Ab` + `c` is `A` + `bc`. */
  const joined = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) {
      for (const { name } of schema.getPossibleTypes(type)) {
        for (const word of name.split('_')) reservedWords.add(word);
      }
    } else if (isObjectType(type) && !type.name.startsWith('__')) {
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}${field.name}`;
        const other = joined.get(name);
        if (other !== undefined) refusedFields.add(other).add(field.name);
        joined.set(name, field.name);
        if (hasTypeCheck(schema, getNamedType(field.type))) refusedFields.add(field.name);
      }
    }
  }
  return { reservedWords, refusedFields };
}

/** Returns true for types with `isTypeOf` or `resolveType`. Both may be asynchronous; in graphql-jit they may not. */
function hasTypeCheck(schema: GraphQLSchema, type: GraphQLNamedOutputType): boolean {
  if (isObjectType(type)) return type.isTypeOf != null;
  if (!isAbstractType(type)) return false;
  return (
    type.resolveType != null ||
    schema.getPossibleTypes(type).some(({ isTypeOf }) => isTypeOf != null)
  );
}
