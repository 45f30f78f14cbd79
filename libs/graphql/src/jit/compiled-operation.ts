import {
  type DirectiveNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import type { CompiledRun } from './compiled-run.js';
import { serializersOf } from './leaf-values.js';
import { type Operation, plainOperation } from './plain-operation.js';
import { withPreparedFields } from './prepared-schema.js';
import { FieldPlaces, withGraphqlErrors } from './result-errors.js';
import { schemaLimits } from './schema-limits.js';

export type GraphqlJit = typeof import('graphql-jit');

/** A compiled operation, for one set of values of `@skip` and `@include`. */
export type CompiledOperation = (
  args: ExecutionArgs,
  variableValues: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

/** What is compiled, and with which limits. */
export interface CompilerInput {
  readonly schema: GraphQLSchema;
  readonly operation: Operation;
  /** Whether `@skip` and `@include` keep a node. */
  readonly included: (directives: readonly DirectiveNode[] | undefined) => boolean;
  readonly maxFields: number;
}

/** Compiles an operation with graphql-jit. Returns undefined if it cannot be compiled. */
export function compileOperation(
  graphqlJit: GraphqlJit,
  { schema, operation, included, maxFields }: CompilerInput,
): CompiledOperation | undefined {
  try {
    const limits = { ...schemaLimits(schema), maxFields };
    const { document, originals } = plainOperation(operation, included, limits);
    const compiled = withPreparedFields(schema, () =>
      graphqlJit.compileQuery(schema, document, undefined, {
        customSerializers: serializersOf(schema),
        disablingCapturingStackErrors: true,
        resolverInfoEnricher: (info) => infoOf(info, operation, originals),
      }),
    );
    if (!('query' in compiled)) return undefined;
    const places = new FieldPlaces(originals.values());
    return ({ rootValue, contextValue }, variableValues) => {
      const run: CompiledRun = { contextValue, variableValues, typeErrors: undefined };
      const result = compiled.query(rootValue, run, {});
      return result instanceof Promise
        ? result.then((settled: ExecutionResult) => withGraphqlErrors(settled, run, places))
        : withGraphqlErrors(result, run, places);
    };
  } catch {
    // An operation that is not compiled, or a schema that is frozen. graphql-js executes both.
    return undefined;
  }
}

/** The parts of `info` that graphql-jit takes from the copied document, or gives abstract types. */
function infoOf(
  { fieldNodes, parentType }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'parentType'>,
  { definition, fragments }: Operation,
  originals: ReadonlyMap<FieldNode, FieldNode>,
): Partial<GraphQLResolveInfo> {
  const fieldName = fieldNodes[0]!.name.value;
  const field = parentType.getFields()[fieldName];
  return {
    fieldName,
    ...(field && { returnType: field.type }),
    fieldNodes: fieldNodes.map((node) => originals.get(node) ?? node),
    operation: definition,
    fragments: fragments,
  };
}
