import {
  type DocumentNode,
  GraphQLError,
  getVariableValues,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  ValidationContext,
  visit,
} from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
import { loadPeer } from '../runtime/load-peer.js';

/** The package graphql-query-complexity. */
export type Complexity = typeof import('graphql-query-complexity');

/** @throws MissingPeerError */
export function loadComplexity(): Promise<Complexity> {
  return loadPeer(
    'graphql-query-complexity',
    'limits.cost',
    () => import('graphql-query-complexity'),
  );
}

/** An operation of a valid document and its variables. */
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
  // The library would make an error for each wrong value of a list.
  const values = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables,
    ONE_ERROR,
  );
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
    // Without its children: the rule reads the selections of the operation itself.
    visit(operation, rule(context), { ...NO_CHILDREN });
  } catch (error) {
    if (error instanceof GraphQLError) return Infinity;
    throw error;
  }
  return cost;
}

const ONE_ERROR = { maxErrors: 1 };
const NO_CHILDREN = { OperationDefinition: [] };

/** Hints in `extensions.complexity`, then those of `@complexity`, then 1 for a field. */
function estimatorsOf(library: Omit<Complexity, 'createComplexityRule'>): ComplexityEstimator[] {
  const { fieldExtensionsEstimator, directiveEstimator, simpleEstimator } = library;
  const estimators = [
    fieldExtensionsEstimator(),
    directiveEstimator(),
    simpleEstimator({ defaultComplexity: 1 }),
  ];
  return [ofIntrospection, ...estimators.map(notNegative)];
}

/** The option `introspection` decides about it, so that an explorer works with a low limit. */
const ofIntrospection: ComplexityEstimator = ({ field }) =>
  field.name.startsWith('__') ? 0 : undefined;

/** A multiplier such as `first: -1000` would pay for other fields. */
function notNegative(estimator: ComplexityEstimator): ComplexityEstimator {
  return (args) => {
    const cost = estimator(args);
    return typeof cost === 'number' ? Math.max(cost, 0) : undefined;
  };
}
