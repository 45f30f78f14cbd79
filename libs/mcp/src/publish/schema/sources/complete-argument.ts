import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../../decorators/author-schema.js';
import type { ClassProperty } from './class-properties.js';
import type { SchemaScope } from './schema-scope.js';
import { loosened, nullable, saysKind, typesOf } from '../json-schema.js';
import type { ValidatedProperty } from './validated-property.js';

/** Types of items that JSON Schema and class-validator compare in the same way. */
const COMPARABLE = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/** Completes the schema of an argument: defaults, `@Transform`, conditional rules and null. */
export function completeArgument(
  schema: JsonSchema,
  validated: ValidatedProperty,
  property: ClassProperty,
  scope: SchemaScope,
): JsonSchema {
  const whole = withItems(withDefault(withMinLength(schema, validated.notEmpty), property.initial));
  const judged = property.transformed
    ? withBoundsTold(asText(loosened(whole)), whole)
    : validated.conditional
      ? loosened(whole)
      : whole;
  return orNull(judged, validated, scope);
}

/**
 * Extends the schema to accept null if two conditions are true: the property accepts null, and the
 * request can contain null.
 */
export function orNull(
  schema: JsonSchema,
  validated: ValidatedProperty,
  scope: SchemaScope,
): JsonSchema {
  return validated.nullable && scope.nulls === 'carried' ? nullable(schema) : schema;
}

/** Extends the schema to accept a string, because a `@Transform` may parse strings. */
function asText(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  if (types.includes('string') || !saysKind(schema)) return schema;
  if (types.length > 0 && schema['$ref'] === undefined)
    return { ...schema, type: [...types, 'string'] };
  return { anyOf: [schema, { type: 'string' }] };
}

/**
 * Adds bounds to the description, not to the schema. The bounds apply to the result of
 * `@Transform`, not to the sent value.
 */
function withBoundsTold(schema: JsonSchema, whole: JsonSchema): JsonSchema {
  const bounds = BOUNDS.filter((keyword) => keyword in whole).map(
    (keyword) => `${keyword} ${String(whole[keyword])}`,
  );
  if (bounds.length === 0) return schema;
  const said = schema['description'];
  const told = `After conversion: ${bounds.join(', ')}.`;
  return { ...schema, description: typeof said === 'string' ? `${said} ${told}` : told };
}

const BOUNDS = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

function withMinLength(schema: JsonSchema, notEmpty: boolean): JsonSchema {
  const plainText = schema['type'] === 'string' && !('enum' in schema) && !('minLength' in schema);
  return notEmpty && plainText ? { ...schema, minLength: 1 } : schema;
}

/** Adds missing `items`, and keeps `uniqueItems` only for items of `COMPARABLE` types. */
function withItems(schema: JsonSchema): JsonSchema {
  if (!typesOf(schema).includes('array')) return schema;
  const { uniqueItems, ...rest } = schema;
  const items = isObject(schema['items']) ? schema['items'] : {};
  const types = typesOf(items);
  const comparable = types.length > 0 && types.every((type) => COMPARABLE.has(type));
  return { ...rest, items, ...(uniqueItems === true && comparable ? { uniqueItems } : {}) };
}

function withDefault(schema: JsonSchema, initial: unknown): JsonSchema {
  if (initial === undefined || 'default' in schema) return schema;
  const plain =
    ['string', 'number', 'boolean'].includes(typeof initial) ||
    (Array.isArray(initial) && initial.length === 0);
  return plain ? { ...schema, default: initial } : schema;
}
