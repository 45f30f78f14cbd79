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

/** Loads the package that calculates costs. @throws MissingPeerError, UnfitPeerError */
export async function loadComplexity(): Promise<Complexity> {
  const library = await loadPeer(PEER.name, USER, () => import('graphql-query-complexity'));
  refuseUnfit(library);
  return library;
}

/**
 * Calculates the cost of a known operation. Version 1 loads a second copy of graphql, which does not know the fields
 * of a schema: there each operation costs 0.
 * @throws UnfitPeerError
 */
export function refuseUnfit(library: Complexity): void {
  const document = parse('{ a }');
  const [operation] = document.definitions as [OperationDefinitionNode];
  const schema = buildSchema('type Query { a: Int }');
  const cost = costOf(library, { schema, document, operation, variables: {} });
  if (cost === 1) return;
  throw new UnfitPeerError(PEER, USER, `an operation of one field costs ${cost} instead of 1`);
}

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the cost of an operation: `Infinity` if it has too many nodes to calculate it, undefined if its variables
 * are invalid, which execution reports.
 */
export function costOf(
  { createComplexityRule, ...library }: Complexity,
  { schema, document, operation, variables }: CostedOperation,
): number | undefined {
  const { variableDefinitions = [] } = operation;
  // One error: the library would make one for each wrong value of a list.
  const values = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (values.errors !== undefined) return undefined;
  let cost: number | undefined;
  const rule = createComplexityRule({
    // It measures only: it would report the error without its code.
    maximumComplexity: Infinity,
    variables: { ...variables },
    estimators: estimatorsOf(library),
    onComplete: (complexity) => void (cost = complexity),
  });
  // A field whose arguments are invalid at run time costs nothing: it is not executed.
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  try {
    // Omits the children, because the rule reads the operation's own selections.
    visit(operation, rule(context), { OperationDefinition: [] } as object);
  } catch (error) {
    if (error instanceof GraphQLError) return Infinity;
    throw error;
  }
  return cost;
}

/** Hints in `extensions.complexity`, then those of `@complexity`, then 1 for a field. */
function estimatorsOf(library: Omit<Complexity, 'createComplexityRule'>): ComplexityEstimator[] {
  const hints = [library.fieldExtensionsEstimator(), library.directiveEstimator()];
  const other = library.simpleEstimator({ defaultComplexity: 1 });
  return [ofIntrospection, ...[...hints, other].map(withoutSign)];
}

/** Introspection is free, so that an explorer works with a low limit. The limit `introspection` applies to it. */
const ofIntrospection: ComplexityEstimator = ({ field }) =>
  field.name.startsWith('__') ? 0 : undefined;

/** `take: -1000` also asks for 1000 items, the last ones. It must neither be free nor reduce the cost of other fields. */
function withoutSign(estimator: ComplexityEstimator): ComplexityEstimator {
  return (args) => {
    const cost = estimator(args);
    return typeof cost === 'number' ? Math.abs(cost) : undefined;
  };
}
