import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { typesOf } from './json-schema.js';
import { mapSubschemas } from './subschemas.js';

// 64-bit integers are strings in arguments. A JSON number above 2^53 loses digits when it is
// parsed, so an id could select the wrong record.

const FORMATS = new Set<unknown>(['int64', 'uint64']);

const DIGITS = '^-?[0-9]+$';

/** The schema of a bigint: a string, because JSON numbers cannot represent every bigint. */
export const BIG_INTEGER: JsonSchema = { type: 'string', pattern: DIGITS, format: 'int64' };

/**
 * Converts 64-bit integers to strings. Used for values that are always sent as strings, for example
 * in a URL.
 */
export function withBigText(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, withBigText);
  if (!isBigInteger(inside) || 'pattern' in inside) return inside;
  const value = inside['default'];
  const others = typesOf(inside).filter((type) => !isNumber(type) && type !== 'string');
  return {
    ...inside,
    type: others.length === 0 ? 'string' : ['string', ...others],
    pattern: DIGITS,
    ...(typeof value === 'number' && { default: String(value) }),
  };
}

/**
 * Returns the schema that validates arguments. For a 64-bit integer, this schema also accepts a
 * number if no digit is lost. Returns undefined if there are no 64-bit integers: the published
 * schema then validates arguments.
 */
export function withSafeIntegers(schema: JsonSchema): JsonSchema | undefined {
  return hasBigIntegers(schema) ? safeIn(schema) : undefined;
}

function safeIn(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, safeIn);
  if (!isBigInteger(inside)) return inside;
  const types = typesOf(inside);
  const isOurText = types.includes('string') && inside['pattern'] === DIGITS;
  if (!isOurText && !types.some(isNumber)) return inside;
  const { minimum, maximum } = inside;
  const least = typeof minimum === 'number' ? minimum : -Infinity;
  const most = typeof maximum === 'number' ? maximum : Infinity;
  return {
    ...inside,
    type: types.some(isNumber) ? types : ['integer', ...types],
    minimum: Math.max(least, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(most, Number.MAX_SAFE_INTEGER),
  };
}

function hasBigIntegers(schema: JsonSchema): boolean {
  let found = isBigInteger(schema);
  mapSubschemas(schema, (inner) => {
    found ||= hasBigIntegers(inner);
    return inner;
  });
  return found;
}

/** Returns false for enumerations, because their values are known. */
function isBigInteger(schema: JsonSchema): boolean {
  const { format } = schema;
  if (!FORMATS.has(format) || 'enum' in schema || 'const' in schema) return false;
  return typesOf(schema).some((type) => isNumber(type) || type === 'string');
}

function isNumber(type: string): boolean {
  return type === 'integer' || type === 'number';
}

/** Applies `withBigText` to some properties of the arguments. */
export function withBigTextIn(schema: JsonSchema, names: ReadonlySet<string>): JsonSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const changed = Object.entries(properties).map(([name, property]) => [
    name,
    names.has(name) && isObject(property) ? withBigText(property) : property,
  ]);
  return { ...schema, properties: Object.fromEntries(changed) as JsonSchema };
}
