import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * The size of an operation. Fragments count each time they are used. A number that is too large
 * becomes `Infinity`.
 */
export interface Measure {
  depth: number;
  fields: number;
  /** Number of fields at the top level. */
  rootFields: number;
  aliases: number;
  directives: number;
}

const NOTHING: Readonly<Measure> = {
  depth: 0,
  fields: 0,
  rootFields: 0,
  aliases: 0,
  directives: 0,
};

/**
 * The fields inside `__schema` and `__type` are not counted here. `exceedsIntrospection` limits
 * them, because the size of their result depends on the schema.
 */
const INTROSPECTION: readonly string[] = ['__schema', '__type'];

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsIn({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  }
  return fragments;
}

/**
 * Measures the operations of a document. Each selection set is measured only once, even if a
 * fragment is used many times. The document may be invalid. Unknown and cyclic fragments have no
 * size.
 */
export class OperationMeasure {
  private readonly fragments: Fragments;
  private readonly known = new Map<SelectionSetNode, Readonly<Measure>>();

  constructor(document: DocumentNode) {
    this.fragments = fragmentsIn(document);
  }

  ofOperation(operation: OperationDefinitionNode): Readonly<Measure> {
    const inner = this.ofSelections(operation.selectionSet);
    return { ...inner, directives: inner.directives + ownDirectivesOf(operation) };
  }

  /** Returns the size of a selection and everything below it. */
  ofSelection(selection: SelectionNode): Readonly<Measure> {
    const inner = this.below(selection);
    const own = this.own(selection);
    return {
      depth: inner.depth + own.depth,
      fields: inner.fields + own.fields,
      rootFields: selection.kind === Kind.FIELD ? 1 : inner.rootFields,
      aliases: inner.aliases + own.aliases,
      directives: inner.directives + own.directives,
    };
  }

  /** Returns the size of a selection without its sub-selections. */
  own(selection: SelectionNode): Readonly<Measure> {
    if (selection.kind === Kind.FIELD) {
      const { alias, directives = [] } = selection;
      const aliases = alias === undefined ? 0 : 1;
      return { depth: 1, fields: 1, rootFields: 1, aliases, directives: directives.length };
    }
    let directives = selection.directives?.length ?? 0;
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      directives += this.fragments.get(selection.name.value)?.directives?.length ?? 0;
    }
    return { ...NOTHING, directives };
  }

  /** Returns the selection set of a field or of a fragment. */
  selectionSetOf(selection: SelectionNode): SelectionSetNode | undefined {
    return selection.kind === Kind.FRAGMENT_SPREAD
      ? this.fragments.get(selection.name.value)?.selectionSet
      : selection.selectionSet;
  }

  private below(selection: SelectionNode): Readonly<Measure> {
    const selections = this.selectionSetOf(selection);
    if (selections === undefined) return NOTHING;
    const inner = this.ofSelections(selections);
    if (selection.kind !== Kind.FIELD || !INTROSPECTION.includes(selection.name.value)) {
      return inner;
    }
    return { ...inner, depth: 0, fields: 0 };
  }

  private ofSelections(selectionSet: SelectionSetNode): Readonly<Measure> {
    const found = this.known.get(selectionSet);
    if (found !== undefined) return found;
    // Stops the recursion if a fragment contains itself. Validation rejects such documents.
    this.known.set(selectionSet, NOTHING);
    const sum = { ...NOTHING };
    for (const selection of selectionSet.selections) {
      const each = this.ofSelection(selection);
      sum.depth = Math.max(sum.depth, each.depth);
      sum.fields += each.fields;
      sum.rootFields += each.rootFields;
      sum.aliases += each.aliases;
      sum.directives += each.directives;
    }
    this.known.set(selectionSet, sum);
    return sum;
  }
}

function ownDirectivesOf(operation: OperationDefinitionNode): number {
  let directives = operation.directives?.length ?? 0;
  for (const variable of operation.variableDefinitions ?? []) {
    directives += variable.directives?.length ?? 0;
  }
  return directives;
}

/**
 * Finds the node that exceeds a limit. If there are several, finds the first in execution order.
 */
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
  // In a cyclic fragment, the selection set was already visited.
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
