import { type ExecutionResult, type FieldNode, GraphQLError, locatedError } from 'graphql';
import { type CompiledRun, keyOfPath } from './compiled-run.js';

/** Finds the fields of the client's document by their place in its text. */
export class FieldPlaces {
  private readonly fields = new Map<string, FieldNode>();

  constructor(fields: Iterable<FieldNode>) {
    for (const field of fields) {
      const { line, column } = field.loc!.startToken;
      this.fields.set(`${line}:${column}`, field);
    }
  }

  at(locations: GraphQLError['locations']): FieldNode[] {
    return (locations ?? []).flatMap(
      ({ line, column }) => this.fields.get(`${line}:${column}`) ?? [],
    );
  }
}

/** Replaces the errors of graphql-jit by those that graphql-js creates, with the thrown error inside. */
export function withGraphqlErrors(
  { data, errors }: ExecutionResult,
  run: CompiledRun,
  places: FieldPlaces,
): ExecutionResult {
  if (errors === undefined) return { data: data! };
  return {
    errors: errors.map((error) =>
      locatedError(causeOf(error, run), places.at(error.locations), error.path),
    ),
    data: data ?? null,
  };
}

function causeOf(
  { originalError, message, path }: GraphQLError,
  { typeErrors }: CompiledRun,
): Error {
  if (originalError) return originalError;
  // The error of a scalar or enum: see LeafFault.
  const given: unknown = message;
  if (given instanceof Error) return given;
  const ofType = typeErrors?.get(keyOfPath(path));
  if (ofType) return ofType;
  // graphql-jit lists the names of merged fields: `Query.(a,a)`.
  const text = message.replace(/\((\w+)(?:,\w+)*\)(?=\.$)/, '$1');
  const list = /^(Expected Iterable, .* for field )(\S+)\.$/.exec(text);
  return list ? new GraphQLError(`${list[1]}"${list[2]}".`) : new Error(text);
}
