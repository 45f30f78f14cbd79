import type { JsonSchema } from '../decorators/author-schema.js';
import type { Definitions } from './definitions.js';
import { isRecord } from './json-schema.js';

/** One value at one place of the request, before it has a name among the arguments. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** What a handler parameter takes: values by name, or one value that has no names to lay open. */
export type Shape =
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'whole'; readonly schema: JsonSchema; readonly required: boolean };

/** Keywords of an object whose properties can stand beside others without changing their meaning. */
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
 * Lays an object schema open. Whatever is more than a list of properties - unions, patterns, open
 * records, arrays, scalars - stays whole.
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
  if (!isRecord(properties)) return schema['additionalProperties'] === false ? [] : undefined;
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: isRecord(property) ? property : property === false ? { not: {} } : {},
    required: required.includes(name),
  }));
}

/** The fields of all parts together; undefined where one cannot be laid open or two share a name. */
function disjoint(parts: readonly (readonly Field[] | undefined)[]): readonly Field[] | undefined {
  const fields = parts.flatMap((part) => part ?? []);
  const closed =
    parts.includes(undefined) || new Set(fields.map(({ name }) => name)).size < fields.length;
  return closed ? undefined : fields;
}

function isListOfSchemas(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** The object schema of fields. */
export function objectSchema(fields: readonly Field[]): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}
