import { type GraphQLLeafType, type GraphQLSchema, isLeafType } from 'graphql';
import { inspect } from 'node:util';
import { asError } from './thrown.js';

/** Carries the error of a scalar or enum through graphql-jit, which keeps the `message` only. */
class LeafFault {
  readonly message: Error;

  constructor(thrown: unknown) {
    this.message = asError(thrown);
  }
}

type Serializers = Record<string, (value: unknown) => unknown>;

/** Returns the serializers of all scalars and enums, with the rules and texts of graphql-js. */
export function serializersOf(schema: GraphQLSchema): Serializers {
  const serializers = Object.create(null) as Serializers;
  for (const type of Object.values(schema.getTypeMap())) {
    if (isLeafType(type)) serializers[type.name] = serializerOf(type);
  }
  return serializers;
}

function serializerOf(type: GraphQLLeafType): Serializers[string] {
  return (value) => {
    let serialized: unknown;
    try {
      serialized = type.serialize(value);
    } catch (error) {
      // oxlint-disable-next-line typescript/only-throw-error -- see LeafFault
      throw new LeafFault(error);
    }
    if (serialized === null || serialized === undefined) {
      // oxlint-disable-next-line typescript/only-throw-error -- see LeafFault
      throw new LeafFault(
        new Error(
          `Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${String(serialized)}`,
        ),
      );
    }
    // JSON has no NaN: graphql-js returns it, and it is sent as null.
    return Number.isNaN(serialized) ? null : serialized;
  };
}
