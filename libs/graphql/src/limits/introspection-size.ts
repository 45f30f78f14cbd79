import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getIntrospectionQuery,
  getNamedType,
  getVariableValues,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { type Fragments, fragmentsIn } from './operation-measure.js';

/** Bytes of JSON around each value: quotes, colon, and comma or brackets. */
const AROUND = 6;

type MetaField = GraphQLField<unknown, unknown>;

/** The introspection fields that graphql-js adds to `Query`. */
const META_FIELDS: Readonly<Record<string, MetaField>> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

const completeSizes = new WeakMap<GraphQLSchema, number>();

/** Returns the size of the complete introspection result that tools request, in bytes of JSON. */
function completeSize(schema: GraphQLSchema): number {
  let size = completeSizes.get(schema);
  if (size === undefined) {
    const document = parse(
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    );
    const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!;
    size = new IntrospectionSize(schema, document, Infinity).ofOperation(operation);
    completeSizes.set(schema, size);
  }
  return size;
}

/**
 * Returns true if the introspection in an operation returns more than `maximum` times the size of
 * the complete introspection query. The document must be valid. Nested lists and aliases multiply
 * the size: 400 characters can request 20 MB.
 */
export function exceedsIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { maximum, variables }: { maximum: number; variables: Readonly<Record<string, unknown>> },
): boolean {
  const values = readVariables(schema, operation, variables);
  if (values === undefined) return false;
  const most = completeSize(schema) * maximum;
  return new IntrospectionSize(schema, document, most, values).ofOperation(operation) > most;
}

/** Variables in the form that `getArgumentValues` accepts. */
type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the variables of an operation with their defaults. Returns undefined if a variable is
 * invalid, because such an operation does not run. graphql-js 16 returns `coerced`. Version 17
 * returns `variableValues`, an object with two parts.
 */
function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Variables | undefined {
  const read = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  const { coerced, variableValues = coerced } = read as Readonly<
    Partial<Record<'coerced' | 'variableValues', Variables>>
  >;
  return variableValues;
}

/** Returns true if an operation introspects the schema. */
export function introspects(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return fieldsIn(operation.selectionSet, fragmentsIn(document)).some(
    ({ name }) => name.value in META_FIELDS,
  );
}

/** Returns the fields of a selection set and its fragments. Ignores repeated fragments. */
function fieldsIn(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  seen = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsIn(selection.selectionSet, fragments, seen);
    }
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined || seen.has(selection.name.value)) return [];
    seen.add(selection.name.value);
    return fieldsIn(fragment.selectionSet, fragments, seen);
  });
}

/**
 * Computes the size of an introspection result with the resolvers of graphql-js, without building
 * the result. Each selection set is measured once for each type, field or argument of the schema.
 * Stops when the size exceeds `most`.
 */
class IntrospectionSize {
  private readonly fragments: Fragments;
  private readonly fields = new Map<SelectionSetNode, readonly FieldNode[]>();
  private readonly known = new Map<SelectionSetNode, Map<unknown, number>>();
  private evaluated = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly most: number,
    private readonly variables: Variables = {},
  ) {
    this.fragments = fragmentsIn(document);
  }

  ofOperation({ selectionSet }: OperationDefinitionNode): number {
    let size = 0;
    for (const field of this.fieldsOf(selectionSet)) {
      const definition = META_FIELDS[field.name.value];
      if (definition !== undefined) size += this.ofField(field, definition, undefined);
    }
    return size;
  }

  private ofField(node: FieldNode, definition: MetaField, source: unknown): number {
    const key = (node.alias ?? node.name).value;
    const value = this.resolve(node, definition, source);
    return key.length + AROUND + this.ofValue(value, definition.type, node.selectionSet);
  }

  private resolve(node: FieldNode, definition: MetaField, source: unknown): unknown {
    try {
      // Only the argument of `__type` selects a type. All other arguments only exclude deprecated
      // elements.
      const args =
        definition === TypeMetaFieldDef
          ? getArgumentValues(definition, node, this.variables)
          : { includeDeprecated: true };
      return definition.resolve?.(source, args, undefined, { schema: this.schema } as never);
    } catch {
      // The execution reports this error.
      return null;
    }
  }

  private ofValue(
    value: unknown,
    type: GraphQLOutputType,
    selectionSet: SelectionSetNode | undefined,
  ): number {
    if (Array.isArray(value)) {
      let size = AROUND;
      for (const item of value) {
        size += this.ofValue(item, type, selectionSet);
        if (size > this.most) return Infinity;
      }
      return size;
    }
    if (typeof value === 'string') return value.length;
    const named = getNamedType(type);
    if (value == null || selectionSet === undefined || !isObjectType(named)) return AROUND;
    return this.ofObject(value, named, selectionSet);
  }

  private ofObject(source: unknown, type: GraphQLObjectType, selectionSet: SelectionSetNode) {
    let sizes = this.known.get(selectionSet);
    if (sizes === undefined) this.known.set(selectionSet, (sizes = new Map<unknown, number>()));
    const found = sizes.get(source);
    if (found !== undefined) return found;
    let size = AROUND;
    for (const field of this.fieldsOf(selectionSet)) {
      const definition = type.getFields()[field.name.value];
      this.evaluated += 1;
      if (size > this.most || this.evaluated > this.most) return Infinity;
      size += definition === undefined ? AROUND : this.ofField(field, definition, source);
    }
    sizes.set(source, size);
    return size;
  }

  private fieldsOf(selectionSet: SelectionSetNode): readonly FieldNode[] {
    let fields = this.fields.get(selectionSet);
    if (fields === undefined) {
      this.fields.set(selectionSet, (fields = fieldsIn(selectionSet, this.fragments)));
    }
    return fields;
  }
}
