import {
  type GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

/** Errors of the application's scalars about a value that a resolver returned. */
const faults = new WeakSet<object>();
const watchedSchemas = new WeakSet<GraphQLSchema>();
const watchedScalars = new WeakSet<GraphQLScalarType>();

/**
 * Matches errors of graphql-js about a returned value that does not fit its type: a scalar, an
 * enum, a list or an abstract type. Most of these messages contain the value, and the value may be
 * stored data.
 */
const OF_RESULT =
  /^((Int|Float|String|Boolean|ID) cannot represent |Enum "\w+" cannot represent |Expected value of type "\w+" but got: |Abstract type "\w+" (must resolve|was resolved) |Runtime Object type "|Expected Iterable, but did not find one )/;

/**
 * Returns true if a resolver returned a value that does not fit its type. This is a bug in the
 * application, and the message may contain the value. But graphql-js reports this bug as a
 * GraphQLError, like the errors that resolvers throw for clients.
 */
export function isResultFault(error: GraphQLError): boolean {
  // If an error has no path, it is about a literal or a variable of the client.
  if (error.path === undefined) return false;
  if (OF_RESULT.test(error.message)) return true;
  let thrown: Error | undefined = error;
  while (thrown !== undefined && !faults.has(thrown)) {
    thrown = (thrown as Partial<GraphQLError>).originalError;
  }
  return thrown !== undefined;
}

/**
 * Makes `isResultFault` recognize the errors of a schema's own scalars. The messages of these
 * errors are unknown. Call this before operations of the schema run. Later calls for the same
 * schema do nothing.
 */
export function watchScalars(schema: GraphQLSchema): void {
  if (watchedSchemas.has(schema)) return;
  watchedSchemas.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && !isSpecifiedScalarType(type) && !watchedScalars.has(type)) {
      watchedScalars.add(type);
      watch(type);
    }
  }
}

/** graphql-js 17 calls `coerceOutputValue`, graphql-js 16 calls `serialize`. */
function watch(
  type: Partial<Record<'serialize' | 'coerceOutputValue', (value: unknown) => unknown>>,
) {
  for (const method of ['serialize', 'coerceOutputValue'] as const) {
    const convert = type[method]?.bind(type);
    if (convert === undefined || Object.isFrozen(type)) continue;
    type[method] = (value) => {
      try {
        return convert(value);
      } catch (error) {
        if (typeof error === 'object' && error !== null) faults.add(error);
        throw error;
      }
    };
  }
}
