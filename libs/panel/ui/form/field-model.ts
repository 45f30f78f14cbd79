import { isRecord } from '@fledge-internal/ui/json';
import { type Schema, type Shape, typeTextOf } from './type-text.js';

interface Common {
  readonly name: string;
  readonly required: boolean;
  /** True if the parameter accepts null. */
  readonly nullable: boolean;
  /** Type and limits in words: "string, 1 to 200 characters". */
  readonly typeText: string;
  readonly description: string | undefined;
  /**
   * The default value that the server uses if the parameter is not sent, as text. Undefined if the
   * schema has no default.
   */
  readonly fallback: string | undefined;
}

/**
 * A parameter and the kind of its control. A type without its own control uses a JSON text area.
 */
export type Field = Common &
  (
    | { readonly kind: 'text'; readonly pattern: string | undefined }
    | { readonly kind: 'number' }
    | { readonly kind: 'choice'; readonly choices: readonly unknown[] }
    | { readonly kind: 'list'; readonly item: Field }
    | { readonly kind: 'object'; readonly fields: readonly Field[] }
    | { readonly kind: 'json' }
  );

/**
 * Maximum nesting of objects with their own fields. Deeper objects and recursive schemas use a JSON
 * text area.
 */
const MAX_DEPTH = 4;

/**
 * Returns the fields of a tool's input schema, in the order of the schema. Returns undefined if the
 * schema does not list its properties: the user then types the arguments as JSON.
 */
export function fieldsOf(schema: Schema): readonly Field[] | undefined {
  return propertiesOf(schema, { root: schema, depth: 0 });
}

interface Place {
  readonly root: Schema;
  readonly depth: number;
}

function propertiesOf(schema: Schema, place: Place): readonly Field[] | undefined {
  const { properties, required, additionalProperties } = schema;
  if (!isRecord(properties)) return undefined;
  if (isRecord(additionalProperties) && Object.keys(properties).length === 0) return undefined;
  const must = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, { ...place, required: must.has(name) }),
  );
}

function fieldOf(name: string, property: unknown, place: Place & { required: boolean }): Field {
  const written = isRecord(property) ? property : {};
  const { schema, nullable } = withoutNull(resolved(written, place.root), place.root);
  const common = {
    name,
    required: place.required,
    nullable,
    description: textOf(written['description']) ?? textOf(schema['description']),
    fallback: 'default' in schema ? JSON.stringify(schema['default']) : undefined,
  };
  const shape = shapeOf(name, schema, place);
  return { ...common, ...shape, typeText: typeTextOf(shape, schema, nullable) } as Field;
}

function shapeOf(name: string, schema: Schema, place: Place): Shape {
  const choices = choicesOf(schema);
  if (choices) return { kind: 'choice', choices };
  switch (schema['type']) {
    case 'string':
      return { kind: 'text', pattern: textOf(schema['pattern']) } as Shape;
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'choice', choices: [true, false] };
    case 'array':
      return listOf(name, schema, place);
    case 'object':
      return objectOf(schema, place);
    default:
      return { kind: 'json' };
  }
}

function listOf(name: string, schema: Schema, { root, depth }: Place): Shape {
  const { items } = schema;
  if (!isRecord(items) || 'prefixItems' in schema || depth >= MAX_DEPTH) return { kind: 'json' };
  const item = fieldOf(name, items, { root, depth: depth + 1, required: true });
  return { kind: 'list', item } as Shape;
}

function objectOf(schema: Schema, { root, depth }: Place): Shape {
  const fields = depth >= MAX_DEPTH ? undefined : propertiesOf(schema, { root, depth: depth + 1 });
  return (fields ? { kind: 'object', fields } : { kind: 'json' }) as Shape;
}

/**
 * Returns the values of an `enum`, a `const`, or alternatives that all are constants, without null.
 */
function choicesOf(schema: Schema): readonly unknown[] | undefined {
  const { enum: values } = schema;
  if (Array.isArray(values)) return values.filter((value): value is unknown => value !== null);
  if ('const' in schema) return [schema['const']];
  const options = alternativesOf(schema);
  const all = options?.every((option) => isRecord(option) && 'const' in option);
  return all ? options?.map((option) => (option as Schema)['const']) : undefined;
}

function alternativesOf(schema: Schema): readonly unknown[] | undefined {
  const options = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(options) ? options : undefined;
}

/** Removes null from a schema: `type: [..., 'null']`, `nullable`, or an alternative `null`. */
function withoutNull(schema: Schema, root: Schema): { schema: Schema; nullable: boolean } {
  const { type, enum: values } = schema;
  if (Array.isArray(type)) {
    const others = type.filter((one) => one !== 'null');
    const nullable = others.length < type.length;
    return { schema: { ...schema, type: others.length === 1 ? others[0] : others }, nullable };
  }
  const options = alternativesOf(schema);
  const others = options?.filter((option) => !(isRecord(option) && option['type'] === 'null'));
  if (options && others && others.length < options.length) {
    const [only] = others;
    const rest = others.length === 1 && isRecord(only) ? resolved(only, root) : { anyOf: others };
    return { schema: { ...schema, anyOf: undefined, oneOf: undefined, ...rest }, nullable: true };
  }
  const nullable = schema['nullable'] === true || (Array.isArray(values) && values.includes(null));
  return { schema, nullable };
}

/** Follows `$ref`s within the document, and `allOf`s with a single schema. Stops after 10 steps. */
function resolved(schema: Schema, root: Schema): Schema {
  let at = schema;
  for (let step = 0; step < 10; step++) {
    const { $ref: ref, allOf, ...outer } = at;
    if (typeof ref === 'string') {
      at = { ...pointedAt(root, ref), ...outer };
    } else if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) {
      at = { ...allOf[0], ...outer };
    } else {
      return at;
    }
  }
  return {};
}

function pointedAt(root: Schema, ref: string): Schema {
  if (!ref.startsWith('#')) return {};
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isRecord(at) ? at : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
