import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';

const ONE = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'additionalItems',
  'contentSchema',
] as const;

const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const;

const NAMED = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
] as const;

/**
 * Applies `change` to each direct subschema and returns the resulting schema. Values (`const`,
 * `enum`, `default`, `examples`) are not schemas and stay unchanged.
 * @param change also receives the keyword that contains the subschema
 */
export function mapSubschemas(
  schema: JsonSchema,
  change: (inner: JsonSchema, keyword: string) => JsonSchema,
): JsonSchema {
  const one = (inner: unknown, keyword: string): unknown =>
    isObject(inner) ? change(inner, keyword) : inner;
  const changed = new Map<string, unknown>();
  for (const keyword of ONE) {
    if (isObject(schema[keyword])) changed.set(keyword, one(schema[keyword], keyword));
  }
  for (const keyword of LIST) {
    const inner: unknown = schema[keyword];
    if (Array.isArray(inner))
      changed.set(
        keyword,
        inner.map((each) => one(each, keyword)),
      );
  }
  for (const keyword of NAMED) {
    const inner = schema[keyword];
    if (!isObject(inner)) continue;
    changed.set(
      keyword,
      Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, one(value, keyword)])),
    );
  }
  if (changed.size === 0) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      changed.has(keyword) ? changed.get(keyword) : value,
    ]),
  );
}

/** Applies `change` to every `$ref` in a schema, at any depth. */
export function mapRefs(schema: JsonSchema, change: (ref: string) => string): JsonSchema {
  const inside = mapSubschemas(schema, (inner) => mapRefs(inner, change));
  const ref = inside['$ref'];
  return typeof ref === 'string' ? { ...inside, $ref: change(ref) } : inside;
}

/** Returns every `$ref` in a schema, at any depth, in document order. */
export function refsIn(schema: JsonSchema): readonly string[] {
  const refs: string[] = [];
  mapRefs(schema, (ref) => {
    refs.push(ref);
    return ref;
  });
  return refs;
}

/**
 * Resolves a local reference (`#/$defs/Task`) in a document. Returns undefined if it has no target.
 */
export function resolvePointer(document: JsonSchema, ref: string): unknown {
  let place: unknown = document;
  for (const token of pointerTokens(ref)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, token))
      return undefined;
    place = (place as Record<string, unknown>)[token];
  }
  return place;
}

/** Escapes a name for use in a JSON Pointer: `a/b` becomes `a~1b`. */
export function escapedToken(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Splits a JSON Pointer: `#/$defs/a~1b` gives `['$defs', 'a/b']`. */
export function pointerTokens(ref: string): readonly string[] {
  return ref
    .split('/')
    .slice(1)
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/**
 * Returns the properties in a schema and in its branches (`allOf`, `oneOf`, `then` ...). For each
 * property, returns all of its different schemas.
 */
export function propertiesAnywhere(
  schema: JsonSchema,
  resolve: (ref: string) => unknown,
): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  for (const { properties } of closure([schema], (each) => branchesOf(each, resolve))) {
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      const known = found.get(name) ?? [];
      const added = isObject(property) ? property : {};
      const isNew = known.every((other) => JSON.stringify(other) !== JSON.stringify(added));
      found.set(name, isNew ? [...known, added] : known);
    }
  }
  return found;
}

/** Returns the branches of a schema (`allOf`, `oneOf`, `then` ...) and the target of its `$ref`. */
export function branchesOf(
  schema: JsonSchema,
  resolve: (ref: string) => unknown,
): readonly JsonSchema[] {
  const branches = BRANCHES.flatMap((keyword): unknown[] => {
    const branch: unknown = schema[keyword];
    return Array.isArray(branch) ? (branch as unknown[]) : [branch];
  });
  const dependent = schema['dependentSchemas'];
  if (isObject(dependent)) branches.push(...Object.values(dependent));
  if (typeof schema['$ref'] === 'string') branches.push(resolve(schema['$ref']));
  return branches.filter(isObject);
}

/** Returns the schemas, and all schemas that `next` returns for any of them. */
export function closure(
  schemas: readonly JsonSchema[],
  next: (schema: JsonSchema) => readonly JsonSchema[],
): readonly JsonSchema[] {
  const seen = new Set<JsonSchema>(schemas);
  // The loop also visits schemas that its body adds to the set.
  for (const schema of seen) for (const each of next(schema)) seen.add(each);
  return [...seen];
}
