import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';

/** Keywords that only describe a value and never reject one. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'contentMediaType',
]);

/**
 * Keywords that stay true if a value is transformed, or if it is validated only under a condition.
 */
const SHAPE = new Set(['type', 'items', '$ref', 'anyOf', 'oneOf', 'allOf', 'properties']);

/** Keywords that define what kind of value a schema accepts. */
const KINDS = ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'] as const;

/** Returns the JSON types in `type`; empty if there are none. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((item) => typeof item === 'string') : [];
}

/** Returns true if a schema defines what kind of value it accepts. */
export function saysKind(schema: JsonSchema): boolean {
  return KINDS.some((keyword) => schema[keyword] !== undefined);
}

/** Extends a schema to accept `null`. */
export function nullable(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (!saysKind(schema) || types.includes('null')) return schema;
  const simple =
    types.length > 0 && ['$ref', 'const', 'anyOf', 'oneOf', 'allOf'].every((k) => !(k in schema));
  if (!simple) {
    const [annotations, rest] = split(schema, ([keyword]) => ANNOTATIONS.has(keyword));
    return { ...annotations, anyOf: [rest, { type: 'null' }] };
  }
  const values: unknown = schema['enum'];
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null)
      ? { enum: [...(values as unknown[]), null] }
      : {}),
  };
}

/**
 * Removes ranges, lengths, patterns and enumerations from a schema. Used if a value is validated
 * only under a condition, or if it is transformed before validation. The values of an enumeration
 * are kept as examples for the model.
 */
export function loosened(schema: JsonSchema): JsonSchema {
  const [kept, dropped] = split(
    schema,
    ([keyword]) => SHAPE.has(keyword) || ANNOTATIONS.has(keyword),
  );
  const items: unknown = kept['items'];
  return {
    ...kept,
    ...(isObject(items) ? { items: loosened(items) } : {}),
    ...(Array.isArray(dropped['enum']) && !('examples' in kept)
      ? { examples: dropped['enum'] }
      : {}),
  };
}

/** Copies a schema without the given keywords. */
export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return split(schema, ([keyword]) => !keywords.includes(keyword))[0];
}

/** Copies a schema without undefined keywords. */
export function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

function split(
  schema: JsonSchema,
  belongsLeft: (entry: [string, unknown]) => boolean,
): readonly [JsonSchema, JsonSchema] {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(belongsLeft)),
    Object.fromEntries(entries.filter((entry) => !belongsLeft(entry))),
  ];
}

/**
 * Returns a deeply frozen copy of plain JSON. The copy shares nothing with the original. So it
 * stays the same if another tool's schema or the author's object is changed.
 */
export function frozenCopy<T>(value: T): T {
  const asJson = (_key: string, inner: unknown): unknown =>
    typeof inner === 'bigint' ? ofBigInt(inner) : inner;
  return freeze(JSON.parse(JSON.stringify(value, asJson)) as T);
}

/** Converts a bigint to JSON. The result is a string if a number would lose digits. */
function ofBigInt(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

/**
 * Merges two schemas. Keywords of `over` replace the keywords of `under`, and a union of `over`
 * replaces a union of `under`. `items` are merged.
 */
export function layered(under: JsonSchema, over: JsonSchema): JsonSchema {
  const { items: itemsUnder, ...rest } = 'anyOf' in over ? without(under, 'oneOf') : under;
  const itemsOver = over['items'];
  const items =
    isObject(itemsUnder) && isObject(itemsOver)
      ? layered(itemsUnder, itemsOver)
      : (itemsOver ?? itemsUnder);
  const both: JsonSchema = { ...rest, ...over, ...(items === undefined ? {} : { items }) };
  return settled(both, over);
}

/** Removes conflicts between `$ref`, `type` and `items`. Keywords of `over` have precedence. */
function settled(both: JsonSchema, over: JsonSchema): JsonSchema {
  if (both['$ref'] === undefined) {
    if (typesOf(both).includes('array') || both['items'] === undefined) return both;
    return both['type'] === undefined ? both : without(both, 'items');
  }
  if (over['type'] !== undefined && over['type'] !== 'object' && over['$ref'] === undefined) {
    return without(both, '$ref');
  }
  return without(both, 'type', 'items');
}
