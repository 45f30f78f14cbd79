import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  OperationTypeNode,
} from 'graphql';
import type { CompiledOperation } from './compiled-operation.js';
import { conditionsIn } from './conditions.js';
import type { Operation } from './plain-operation.js';

/** An operation of a document, how often it ran, and what was compiled of it. */
export interface KnownOperation extends Operation {
  runs: number;
  /** Names of the variables that `@skip` and `@include` read. */
  readonly conditions: readonly string[];
  /** Compiled operations by the values of the conditions; undefined for one that cannot be compiled. */
  readonly forms: Map<string, CompiledOperation | undefined>;
}

/** Returns the operation that a request names; undefined for none, and for subscriptions. */
export function knownOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): KnownOperation | undefined {
  const definition = getOperationAST(document, operationName);
  // Without locations, errors could not name the fields that they belong to.
  if (!definition || definition.operation === OperationTypeNode.SUBSCRIPTION || !definition.loc) {
    return undefined;
  }
  const found = document.definitions.filter(
    (node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION,
  );
  const fragments = Object.fromEntries(found.map((node) => [node.name.value, node]));
  const conditions = conditionsIn([definition, ...found]);
  return { definition, fragments, conditions, runs: 0, forms: new Map() };
}
