import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { FileOperation } from './operations.js';

/** The fragments of a document, by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsIn({ document }: Pick<FileOperation, 'document'>): Fragments {
  const fragments = document.definitions.flatMap((definition) =>
    definition.kind === Kind.FRAGMENT_DEFINITION
      ? [[definition.name.value, definition] as const]
      : [],
  );
  return new Map(fragments);
}

/**
 * Returns the depth of the most deeply nested field of a valid operation. Root fields have depth 1.
 */
export function depthOf(operation: OperationDefinitionNode, fragments: Fragments): number {
  const known = new Map<string, number>();
  const inSet = (set: SelectionSetNode | undefined): number => {
    let deepest = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD)
        deepest = Math.max(deepest, 1 + inSet(selection.selectionSet));
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        deepest = Math.max(deepest, inSet(selection.selectionSet));
      } else deepest = Math.max(deepest, inFragment(selection.name.value));
    }
    return deepest;
  };
  const inFragment = (name: string): number => {
    const depth = known.get(name) ?? inSet(fragments.get(name)?.selectionSet);
    known.set(name, depth);
    return depth;
  };
  return inSet(operation.selectionSet);
}
