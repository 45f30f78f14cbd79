import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { withNeededDefinitions } from './definitions.js';
import { without } from './json-schema.js';
import { isJsonScalar, typeOfValues } from './sources/enum-values.js';
import { propertiesAnywhere, resolvePointer } from './subschemas.js';

/**
 * Keywords that the Claude API does not allow at the root of a schema. If one tool has such a
 * schema, the API rejects the whole request.
 */
const REJECTED = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'] as const;

/**
 * An input schema that every client accepts. It is derived from a hand-written schema that some
 * clients reject.
 */
export interface FlatRoot {
  readonly schema: JsonSchema;
  /** The rejected keywords. Messages name them. */
  readonly rejected: readonly string[];
}

/**
 * If the root of a schema is a composition, such as a union, merges its parts into one list of
 * properties. The result accepts everything that the parts accept, and more. So calls are still
 * validated against the hand-written schema. Returns undefined if the root is not a composition.
 */
export function flatRootOf(written: JsonSchema): FlatRoot | undefined {
  const rejected = REJECTED.filter((keyword) => keyword in written);
  if (rejected.length === 0) return undefined;
  const resolve = (ref: string): unknown => resolvePointer(written, ref);
  const properties = [...propertiesAnywhere(written, resolve)].map(
    ([name, schemas]) => [name, eitherOf(schemas)] as const,
  );
  const required = [...requiredIn(written, resolve, new Set())].filter((name) =>
    properties.some(([known]) => known === name),
  );
  const isClosed = written['unevaluatedProperties'] === false;
  const root = without(written, ...REJECTED, 'properties', 'required', 'unevaluatedProperties');
  const schema = withNeededDefinitions({
    ...root,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(isClosed && !('patternProperties' in root) && { additionalProperties: false }),
  });
  return { schema, rejected };
}

/**
 * Returns a schema for all values that at least one of the schemas accepts. The constants of a
 * discriminator become one list.
 */
function eitherOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  if (schemas.length < 2) return first;
  const values = [...new Set(schemas.flatMap(valuesOf))];
  if (values.every(isJsonScalar)) {
    return { ...without(first, 'const'), ...typeOfValues(values), enum: values };
  }
  return { anyOf: schemas };
}

/**
 * Returns the values of an enumeration. If the schema is not an enumeration, the list contains the
 * schema itself.
 */
function valuesOf(schema: JsonSchema): readonly unknown[] {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [schema];
}

/**
 * Returns the properties that every accepted value has. Such a property is required in any part of
 * `allOf`, or in all branches of a union.
 */
function requiredIn(
  schema: JsonSchema,
  resolve: (ref: string) => unknown,
  seen: Set<JsonSchema>,
): ReadonlySet<string> {
  if (seen.has(schema)) return new Set();
  const within = new Set([...seen, schema]);
  const of = (part: unknown) => (isObject(part) ? requiredIn(part, resolve, within) : NONE);
  const { required, $ref, allOf, anyOf, oneOf } = schema;
  const branches = [anyOf, oneOf].filter(Array.isArray).map((parts: unknown[]) => parts.map(of));
  return new Set([
    ...(Array.isArray(required) ? (required as string[]) : []),
    ...(typeof $ref === 'string' ? of(resolve($ref)) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => [...of(part)]) : []),
    ...branches.flatMap(([first = NONE, ...more]) =>
      [...first].filter((name) => more.every((names) => names.has(name))),
    ),
  ]);
}

const NONE: ReadonlySet<string> = new Set();
