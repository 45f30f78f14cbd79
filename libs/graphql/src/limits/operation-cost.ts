import {
  buildSchema,
  type DocumentNode,
  GraphQLError,
  getVariableValues,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  ValidationContext,
  visit,
} from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
import { UnfitPeerError } from '../graphql.errors.js';
import { loadPeer } from '../load-peer.js';

export type Complexity = typeof import('graphql-query-complexity');

const PEER = { name: 'graphql-query-complexity', install: 'graphql-query-complexity@2' } as const;
const USER = 'limits.cost';

/**
 * Loads the package that calculates costs.
 * @throws MissingPeerError, UnfitPeerError
 */
export async function loadComplexity(): Promise<Complexity> {
  const library = await loadPeer(PEER.name, USER, () => import('graphql-query-complexity'));
  refuseUnfit(library);
  return library;
}

/**
 * Checks the package with an operation of known cost. Version 1 loads a second copy of graphql. The
 * second copy does not recognize the fields of a schema, so every operation costs 0.
 * @throws UnfitPeerError
 */
export function refuseUnfit(library: Complexity): void {
  const document = parse('{ a }');
  const [operation] = document.definitions as [OperationDefinitionNode];
  const schema = buildSchema('type Query { a: Int }');
  const cost = costOf(library, { schema, document, operation, variables: {} });
  if (cost === 1) return;
  throw new UnfitPeerError(PEER, USER, `an operation with one field costs ${cost} instead of 1`);
}

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the cost of an operation. Returns `Infinity` if the operation has too many nodes for a
 * calculation. Returns undefined if a variable is invalid, because the execution reports this
 * error.
 */
export function costOf(
  { createComplexityRule, ...library }: Complexity,
  { schema, document, operation, variables }: CostedOperation,
): number | undefined {
  const { variableDefinitions = [] } = operation;
  // One error is sufficient. Otherwise, graphql-js would create an error for each wrong value in a
  // list.
  const values = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (values.errors !== undefined) return undefined;
  let cost: number | undefined;
  const rule = createComplexityRule({
    // The library only measures the cost. It must not create the error, because its errors have no
    // `code`.
    maximumComplexity: Infinity,
    variables: { ...variables },
    estimators: estimatorsOf(library),
    onComplete: (complexity) => void (cost = complexity),
  });
  // If arguments are invalid at run time, the field is not executed. So the field costs nothing.
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  try {
    // The visitor must not visit the children. The rule reads the operation's selections itself.
    visit(operation, rule(context), { OperationDefinition: [] } as object);
  } catch (error) {
    if (error instanceof GraphQLError) return Infinity;
    throw error;
  }
  return cost;
}

/**
 * Returns the estimators in order of precedence: `extensions.complexity`, `@complexity`, then 1 for
 * each field.
 */
function estimatorsOf(library: Omit<Complexity, 'createComplexityRule'>): ComplexityEstimator[] {
  const hints = [library.fieldExtensionsEstimator(), library.directiveEstimator()];
  const other = library.simpleEstimator({ defaultComplexity: 1 });
  return [ofIntrospection, ...[...hints, other].map(withoutSign)];
}

/**
 * Introspection costs nothing, so the explorer also works with a low limit. Introspection has its
 * own limit, `introspection`.
 */
const ofIntrospection: ComplexityEstimator = ({ field }) =>
  field.name.startsWith('__') ? 0 : undefined;

/**
 * Makes negative numbers positive. For example, `take: -1000` requests the last 1000 items. Such a
 * field must not be free, and must not reduce the cost of other fields.
 */
function withoutSign(estimator: ComplexityEstimator): ComplexityEstimator {
  return (args) => {
    const cost = estimator(args);
    return typeof cost === 'number' ? Math.abs(cost) : undefined;
  };
}
