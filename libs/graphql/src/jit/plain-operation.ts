import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** An operation and the fragments of its document. */
export interface Operation {
  readonly definition: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/** An operation without fragment definitions, arguments, variables and directives. */
export interface PlainOperation {
  readonly document: DocumentNode;
  /** The field of the client's document for each field of this one. */
  readonly originals: ReadonlyMap<FieldNode, FieldNode>;
}

/** What a compiled operation may contain. */
export interface PlainLimits {
  readonly maxFields: number;
  /** Words that the compiler writes into names beside the names of fields. */
  readonly reservedWords: ReadonlySet<string>;
  /** Names of fields with which an operation is not compiled. */
  readonly refusedFields: ReadonlySet<string>;
}

/** Thrown for an operation that is not compiled. It runs with graphql-js instead. */
class NotCompiled extends Error {}

/**
 * Copies an operation, with its fragments in place and `@skip` and `@include` applied. graphql-jit writes
 * argument values of clients into the code that it generates and marks the nodes that it reads, so it gets
 * this copy: it has names of fields and types only.
 *
 * @param included whether `@skip` and `@include` keep a node
 * @throws NotCompiled
 */
export function plainOperation(
  { definition, fragments }: Operation,
  included: (directives: readonly DirectiveNode[] | undefined) => boolean,
  limits: PlainLimits,
): PlainOperation {
  const originals = new Map<FieldNode, FieldNode>();
  const paths = new PathNames(limits);
  let selections = 0;
  const selectionSet = copy(definition.selectionSet, []);
  const operation = { ...definition, selectionSet, variableDefinitions: [], directives: [] };
  return { document: { kind: Kind.DOCUMENT, definitions: [operation] }, originals };

  function copy(set: SelectionSetNode, path: readonly string[]): SelectionSetNode {
    return { ...set, selections: set.selections.flatMap((each) => copied(each, path)) };
  }

  function copied(node: SelectionNode, path: readonly string[]): SelectionNode[] {
    selections += 1;
    if (selections > limits.maxFields) throw new NotCompiled('The operation is too large');
    if (!included(node.directives)) return [];
    if (node.kind === Kind.FIELD) return [field(node, path)];
    const { typeCondition, selectionSet } =
      node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value]!;
    const inside = { ...(typeCondition && { typeCondition }), directives: [] };
    return [{ kind: Kind.INLINE_FRAGMENT, ...inside, selectionSet: copy(selectionSet, path) }];
  }

  function field(node: FieldNode, parents: readonly string[]): FieldNode {
    const path = [...parents, node.alias?.value ?? node.name.value];
    paths.add(path, node);
    const { selectionSet, ...rest } = node;
    const inside = selectionSet && { selectionSet: copy(selectionSet, path) };
    const plain: FieldNode = { ...rest, ...inside, arguments: [], directives: [] };
    originals.set(plain, node);
    return plain;
  }
}

/** The names that graphql-jit forms from the path of each field. Two paths with one name would be confused. */
class PathNames {
  private readonly paths = new Map<string, string>();

  constructor(private readonly limits: PlainLimits) {}

  add(path: readonly string[], node: FieldNode): void {
    const key = path.at(-1)!;
    const { reservedWords, refusedFields } = this.limits;
    if (key.startsWith('__') && key !== '__typename') throw new NotCompiled(`The key ${key}`);
    if (node.name.value.startsWith('__') && node.name.value !== key) {
      throw new NotCompiled('Introspection, or an alias of __typename');
    }
    if (refusedFields.has(node.name.value)) throw new NotCompiled('A field that is not compiled');
    if (key.split('_').some((word) => reservedWords.has(word) || /^idx\d*$/.test(word))) {
      throw new NotCompiled(`The key ${key} has a word that the compiler uses`);
    }
    const name = path.join('_');
    const text = path.join('.');
    if ((this.paths.get(name) ?? text) !== text) throw new NotCompiled(`Two paths ${name}`);
    this.paths.set(name, text);
  }
}
