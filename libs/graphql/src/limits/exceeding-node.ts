import type { ASTNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { type Measure, type OperationMeasure, ownDirectivesOf } from './operation-measure.js';

/** Finds the first node of an operation that exceeds a limit, in the order of execution. */
export function exceedingNode(
  operation: OperationDefinitionNode,
  measure: OperationMeasure,
  limit: keyof Measure,
  maximum: number,
): ASTNode {
  let left = maximum;
  if (limit === 'directives') {
    left -= ownDirectivesOf(operation);
    if (left < 0) return operation;
  }
  // Cyclic fragments lead back to selections on the way.
  const passed = new Set<SelectionSetNode>();
  let place: ASTNode = operation;
  let inside: SelectionSetNode | undefined = operation.selectionSet;
  while (inside !== undefined && !passed.has(inside)) {
    passed.add(inside);
    const { selections }: SelectionSetNode = inside;
    inside = undefined;
    for (const selection of selections) {
      const all = measure.ofSelection(selection)[limit];
      if (all > left) {
        place = selection;
        left -= measure.own(selection)[limit];
        if (left >= 0) inside = measure.selectionSetOf(selection);
        break;
      }
      if (limit !== 'depth') left -= all;
    }
  }
  return place;
}
