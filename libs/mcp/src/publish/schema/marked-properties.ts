import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { without } from './json-schema.js';
import { mapSubschemas, resolvePointer } from './subschemas.js';

/**
 * `readOnly`: not part of requests. `writeOnly`: not part of responses (OpenAPI 3.1, JSON Schema
 * Validation §9.4).
 */
type Mark = 'readOnly' | 'writeOnly';

/** Keywords whose subschemas describe the same value as the enclosing schema. */
const SAME_VALUE = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']);

/** A document, and the mark that is searched in it. */
interface Search {
  readonly root: JsonSchema;
  readonly mark: Mark;
}

/**
 * Removes marked properties from a schema document, at any depth. Also removes their names from
 * `required`. If a property sets the mark to `false`, it stays, even if it refers to a marked
 * schema.
 */
export function withoutMarked(root: JsonSchema, mark: Mark): JsonSchema {
  return reduced(root, new Set(), { root, mark });
}

function reduced(schema: JsonSchema, outer: ReadonlySet<string>, search: Search): JsonSchema {
  const names = new Set([...outer, ...markedNames(schema, search, new Set())]);
  const unmarked = without(schema, search.mark);
  const inside = mapSubschemas(unmarked, (inner, keyword) =>
    reduced(inner, SAME_VALUE.has(keyword) ? names : new Set(), search),
  );
  if (names.size === 0) return inside;
  const { properties, required } = inside;
  const left = Array.isArray(required) ? required.filter((name: string) => !names.has(name)) : [];
  return {
    ...without(inside, 'required'),
    ...(isObject(properties) && { properties: without(properties, ...names) }),
    ...(left.length > 0 && { required: left }),
  };
}

/**
 * Returns the names of the marked properties in a schema. Searches the targets of references and
 * all parts that describe the same value.
 */
function markedNames(
  schema: JsonSchema,
  search: Search,
  seen: Set<JsonSchema>,
): ReadonlySet<string> {
  if (seen.has(schema)) return new Set();
  seen.add(schema);
  const { allOf, $ref } = schema;
  const parts = [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), resolved($ref, search)];
  const names = new Set(
    parts.filter(isObject).flatMap((part) => [...markedNames(part, search, seen)]),
  );
  const { properties } = schema;
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (isMarked(property, search)) names.add(name);
    else if (isObject(property) && property[search.mark] === false) names.delete(name);
  }
  return names;
}

function isMarked(property: unknown, search: Search): boolean {
  if (!isObject(property)) return false;
  const target = resolved(property['$ref'], search);
  const mark = property[search.mark] ?? (isObject(target) ? target[search.mark] : undefined);
  return mark === true;
}

function resolved(ref: unknown, { root }: Search): unknown {
  return typeof ref === 'string' ? resolvePointer(root, ref) : undefined;
}

/** Marks a value so it stays an argument, even if its schema is read-only. */
export function notReadOnly(schema: JsonSchema): JsonSchema {
  return { ...schema, readOnly: false };
}

/** Returns the warning for a read-only property that stays an argument. */
export function keptReadOnly(name: string): string {
  return (
    `${name} is read-only, but its validator rejects a call without this property, so the ` +
    'property is published as an argument. Make the property optional'
  );
}

/**
 * Keeps read-only properties that a validator requires, because no call would succeed without them.
 * @param onKept called with the name of each kept property
 */
export function withRequiredKept(root: JsonSchema, onKept: (name: string) => void): JsonSchema {
  return keptIn(root, { root, mark: 'readOnly' }, onKept);
}

function keptIn(schema: JsonSchema, search: Search, onKept: (name: string) => void): JsonSchema {
  const inside = mapSubschemas(schema, (inner) => keptIn(inner, search, onKept));
  const { properties, required } = inside;
  if (!isObject(properties) || !Array.isArray(required)) return inside;
  const kept = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) && isMarked(property, search),
  );
  if (kept.length === 0) return inside;
  for (const [name] of kept) onKept(name);
  const stay = kept.map(([name, property]) => [name, notReadOnly(property as JsonSchema)]);
  return { ...inside, properties: { ...properties, ...Object.fromEntries(stay) } };
}
