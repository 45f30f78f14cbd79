import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { Definitions } from './definitions.js';
import type { ListForm } from './operation-input.js';

/** One value of the request, before an argument name is assigned. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The form of a list in the query string. If undefined, the name is repeated. */
  readonly list?: ListForm | undefined;
}

/**
 * The input of a handler parameter: named fields, or one value that cannot be split into fields.
 */
export type Shape =
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'whole'; readonly schema: JsonSchema; readonly required: boolean };

/**
 * Keywords of object schemas that can be split into fields. Splitting does not change the meaning
 * of these keywords.
 */
const FLAT = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  'examples',
  'default',
  '$comment',
]);

/**
 * Splits an object schema into fields. Schemas that are more than a list of properties (unions,
 * patterns, open records, arrays, scalars) are not split.
 */
export function shapeOf(schema: JsonSchema, required: boolean, definitions: Definitions): Shape {
  const fields = fieldsOf(schema, definitions);
  return fields === undefined ? { kind: 'whole', schema, required } : { kind: 'fields', fields };
}

function fieldsOf(schema: JsonSchema, definitions: Definitions): readonly Field[] | undefined {
  if (typeof schema['$ref'] === 'string' && Object.keys(schema).length === 1) {
    const named = definitions.resolve(schema['$ref']);
    return named === undefined || '$ref' in named ? undefined : fieldsOf(named, definitions);
  }
  if (
    isListOfSchemas(schema['allOf']) &&
    Object.keys(schema).every((k) => k === 'allOf' || k === 'type')
  ) {
    return disjoint(schema['allOf'].map((part) => fieldsOf(part, definitions)));
  }
  if (schema['type'] !== 'object' || !Object.keys(schema).every((keyword) => FLAT.has(keyword)))
    return undefined;
  if (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false)
    return undefined;
  const properties = schema['properties'];
  if (!isObject(properties)) return schema['additionalProperties'] === false ? [] : undefined;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: isObject(property) ? property : property === false ? { not: {} } : {},
    required: required.includes(name),
  }));
}

/**
 * Returns the fields of all parts. Returns undefined if a part cannot be split, or if two fields
 * have the same name.
 */
function disjoint(parts: readonly (readonly Field[] | undefined)[]): readonly Field[] | undefined {
  const fields = parts.flatMap((part) => part ?? []);
  const closed =
    parts.includes(undefined) || new Set(fields.map(({ name }) => name)).size < fields.length;
  return closed ? undefined : fields;
}

function isListOfSchemas(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Builds an object schema from fields. */
export function objectSchema(fields: readonly Field[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}
