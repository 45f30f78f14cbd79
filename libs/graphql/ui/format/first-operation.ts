import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  print,
  parse,
} from 'graphql';

/** Maximum number of fields selected in one object. */
const FIELDS = 5;
/** Maximum nesting of objects: `tasks { data { title } }` has two levels. */
const DEPTH = 2;

type Field = GraphQLField<unknown, unknown>;

/**
 * Writes a query that needs no arguments, with the first field of `Query` that returns objects,
 * otherwise with the first field. Returns undefined if every field needs arguments.
 */
export function firstOperation(schema: GraphQLSchema): string | undefined {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(runsAlone);
  const written = fields.map((field) => ({ field, text: selectionOf(field, DEPTH) }));
  const usable = written.filter(({ text }) => text !== undefined);
  const first = usable.find(({ field }) => !isLeafType(getNamedType(field.type))) ?? usable[0];
  return first?.text === undefined ? undefined : print(parse(`query {${first.text}}`));
}

function runsAlone({ args }: Field): boolean {
  return !args.some(isRequiredArgument);
}

/**
 * Returns a field with its selection set. Returns undefined if the selection would be nested too
 * deeply.
 */
function selectionOf(field: Field, depth: number): string | undefined {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.name;
  if (!isObjectType(type) || depth === 0) return undefined;
  const fields = Object.values(type.getFields()).filter(runsAlone);
  const leaves = fields.filter((one) => isLeafType(getNamedType(one.type)));
  const list = fields.find((one) => !leaves.includes(one) && isListType(getNullableType(one.type)));
  const nested = list && selectionOf(list, depth - 1);
  const chosen = [nested, ...leaves.slice(0, FIELDS).map(({ name }) => name)].filter(Boolean);
  return chosen.length > 0 ? `${field.name} {${chosen.join(' ')}}` : undefined;
}
