import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { saysKind, typesOf, without } from './json-schema.js';

const SCALARS = ['string', 'number', 'boolean'];

/** Keywords that apply only to objects. */
const OF_OBJECTS = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
];

/** The position of a value. A value in the position `item` must not be a list. */
type Position = 'value' | 'item';

/**
 * Restricts a schema to strings, numbers, booleans and lists of these. A query string can contain
 * only such values if its parser does not support objects. If a schema defines no kind of value, it
 * then accepts all of these. Returns undefined if nothing is left.
 */
export function textValue(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema | undefined,
): JsonSchema | undefined {
  return narrowed(schema, 'value', resolve, []);
}

/** Restricts a schema to a single string, number or boolean, for a path segment. */
export function scalarValue(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema | undefined,
): JsonSchema | undefined {
  return narrowed(schema, 'item', resolve, []);
}

function narrowed(
  schema: JsonSchema,
  position: Position,
  resolve: (ref: string) => JsonSchema | undefined,
  inside: readonly string[],
): JsonSchema | undefined {
  const again = (inner: JsonSchema, at = position): JsonSchema | undefined =>
    narrowed(inner, at, resolve, inside);
  const ref = schema['$ref'];
  if (typeof ref === 'string') {
    const target = inside.includes(ref) ? undefined : resolve(ref);
    const text = target && narrowed(target, position, resolve, [...inside, ref]);
    if (text === undefined) return undefined;
    return isSame(text, target) ? schema : { ...text, ...without(schema, '$ref') };
  }
  const branches = narrowedBranches(schema, again);
  return branches && narrowedTypes(branches, position, again);
}

/**
 * Restricts the branches. Returns undefined if an `allOf` loses a branch, or if an `anyOf` or
 * `oneOf` loses every branch.
 */
function narrowedBranches(
  schema: JsonSchema,
  again: (inner: JsonSchema) => JsonSchema | undefined,
): JsonSchema | undefined {
  let result = schema;
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const given: unknown = result[keyword];
    if (!Array.isArray(given)) continue;
    const all = given.filter(isObject);
    // If a branch of `allOf` defines the kind, the other branches do not have to define it.
    const left = all.flatMap((branch) =>
      keyword === 'allOf' && !saysKind(branch) ? [branch] : (again(branch) ?? []),
    );
    if (left.length === 0 || (keyword === 'allOf' && left.length < all.length)) return undefined;
    result = { ...result, [keyword]: left };
  }
  return result;
}

function narrowedTypes(
  schema: JsonSchema,
  position: Position,
  again: (inner: JsonSchema, at?: Position) => JsonSchema | undefined,
): JsonSchema | undefined {
  if (!saysKind(schema)) {
    if ('properties' in schema) return undefined;
    const items = { type: SCALARS };
    return position === 'item'
      ? { ...schema, ...items }
      : { ...schema, type: [...SCALARS, 'array'], items };
  }
  const types = typesOf(schema);
  if (types.length === 0) return scalarsOnly(schema);
  const items = types.includes('array') ? itemsOf(schema, position, again) : undefined;
  const left = types.filter((type) => type !== 'object' && (type !== 'array' || items));
  if (left.every((type) => type === 'null')) return undefined;
  if (left.length === types.length && isSame(items, schema['items'])) return schema;
  const kept = left.length === types.length ? schema : without(schema, ...OF_OBJECTS);
  return {
    ...without(kept, 'items'),
    type: left.length === 1 ? left[0] : left,
    ...(items ? { items } : {}),
  };
}

function itemsOf(
  schema: JsonSchema,
  position: Position,
  again: (inner: JsonSchema, at?: Position) => JsonSchema | undefined,
): JsonSchema | undefined {
  if (position === 'item') return undefined;
  return again(isObject(schema['items']) ? schema['items'] : {}, 'item');
}

/** If a `const` or `enum` has no type, removes its objects. */
function scalarsOnly(schema: JsonSchema): JsonSchema | undefined {
  if (isObjectOrList(schema['const'])) return undefined;
  const values: unknown = schema['enum'];
  if (!Array.isArray(values)) return schema;
  const left = values.filter((value) => !isObjectOrList(value));
  return left.length === 0 ? undefined : { ...schema, enum: left };
}

function isObjectOrList(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
