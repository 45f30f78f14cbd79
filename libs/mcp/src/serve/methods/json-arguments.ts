import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { typesOf } from '../../publish/schema/json-schema.js';
import { resolvePointer } from '../../publish/schema/subschemas.js';
import { type JsonObject, parsedJson } from '../protocol/json-rpc.js';

/**
 * Parses arguments that contain JSON instead of a list or an object. Some clients convert lists and
 * objects to strings, and repeat the call in the same form after an error. An argument that may be
 * a string is not parsed.
 */
export function withParsedJson(args: JsonObject, schema: JsonSchema): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return args;
  const parsed = Object.entries(args).flatMap(([name, text]): [string, unknown][] => {
    if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return [];
    if (!Object.hasOwn(properties, name) || !isStructure(properties[name], schema)) return [];
    const value = parsedJson(text);
    return value === undefined ? [] : [[name, value]];
  });
  return parsed.length === 0 ? args : { ...args, ...Object.fromEntries(parsed) };
}

/** Returns true if a schema accepts only lists, objects and null. */
function isStructure(
  schema: unknown,
  document: JsonSchema,
  inside: readonly unknown[] = [],
): boolean {
  if (!isObject(schema) || inside.includes(schema)) return false;
  const types = typesOf(schema);
  if (types.length > 0) return types.every((type) => STRUCTURES.includes(type));
  const again = (inner: unknown) => isStructure(inner, document, [...inside, schema]);
  const { $ref, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') return again(resolvePointer(document, $ref));
  const branches: unknown = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.length > 0 && branches.every(again);
}

const STRUCTURES = ['array', 'object', 'null'];
