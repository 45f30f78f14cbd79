import type { JsonSchema } from '../decorators/tool.metadata.js';
import { isRecord } from './json-schema.js';

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
 * The schema with every schema directly inside it replaced by what `change` makes of it. Values
 * (`const`, `enum`, `default`, `examples`) are not schemas and stay as they are.
 */
export function mapSubschemas(
  schema: JsonSchema,
  change: (inner: JsonSchema) => JsonSchema,
): JsonSchema {
  const one = (inner: unknown): unknown => (isRecord(inner) ? change(inner) : inner);
  const changed = new Map<string, unknown>();
  for (const keyword of ONE) {
    if (isRecord(schema[keyword])) changed.set(keyword, one(schema[keyword]));
  }
  for (const keyword of LIST) {
    const inner: unknown = schema[keyword];
    if (Array.isArray(inner)) changed.set(keyword, inner.map(one));
  }
  for (const keyword of NAMED) {
    const inner = schema[keyword];
    if (!isRecord(inner)) continue;
    changed.set(
      keyword,
      Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, one(value)])),
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

/** The schema with every `$ref` in it, at any depth, replaced. */
export function mapRefs(schema: JsonSchema, change: (ref: string) => string): JsonSchema {
  const inside = mapSubschemas(schema, (inner) => mapRefs(inner, change));
  const ref = inside['$ref'];
  return typeof ref === 'string' ? { ...inside, $ref: change(ref) } : inside;
}

/** Every `$ref` of the schema, at any depth, in document order. */
export function refsIn(schema: JsonSchema): readonly string[] {
  const refs: string[] = [];
  mapRefs(schema, (ref) => {
    refs.push(ref);
    return ref;
  });
  return refs;
}

/** What a local reference (`#/$defs/Task`) names in the document; undefined where nothing is there. */
export function resolvePointer(document: JsonSchema, ref: string): unknown {
  let place: unknown = document;
  for (const token of pointerTokens(ref)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, token))
      return undefined;
    place = (place as Record<string, unknown>)[token];
  }
  return place;
}

/** `#/$defs/a~1b` gives `['$defs', 'a/b']`. */
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
