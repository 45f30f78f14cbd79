import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { typesOf } from '../schema/json-schema.js';
import type { OperationInput } from '../schema/operation-input.js';
import { branchesOf, closure, resolvePointer } from '../schema/subschemas.js';

export type Texts = Readonly<Record<string, string | readonly string[]>>;

/**
 * Converts strings from users or URIs to the types in the schema. A string that contains a valid
 * number or boolean becomes that value. A string becomes a list if the schema requires a list. All
 * other strings stay strings, and the validator checks them.
 */
export function argumentsOfTexts(schema: JsonSchema, texts: Texts): Record<string, unknown> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, valueOf(property, text, schema)];
    }),
  );
}

/**
 * Returns the arguments to send after validation. Path and query parameters keep their original
 * text, because a number could lose digits when it is converted.
 */
export function sentArguments(
  { places }: OperationInput,
  args: Readonly<Record<string, unknown>>,
  texts: Texts,
): Readonly<Record<string, unknown>> {
  const kept = places.filter(
    ({ target, argument }) => target !== 'body' && Object.hasOwn(texts, argument),
  );
  return {
    ...args,
    ...Object.fromEntries(kept.map(({ argument }) => [argument, texts[argument]])),
  };
}

function valueOf(
  property: unknown,
  text: string | readonly string[],
  document: JsonSchema,
): unknown {
  const schemas = withBranches(property, document);
  const lists = schemas.filter((each) => typesOf(each).includes('array'));
  if (lists.length > 0 && (typeof text !== 'string' || !schemas.some(isString))) {
    const items = { anyOf: lists.map((list) => list['items']) };
    return [text].flat().map((each) => scalarOf(withBranches(items, document), each));
  }
  return typeof text === 'string' ? scalarOf(schemas, text) : text;
}

/** @param schemas the schemas of the value, with all branches of its unions */
function scalarOf(schemas: readonly JsonSchema[], text: string): unknown {
  if (schemas.some((schema) => acceptsText(schema, text))) return text;
  const types = schemas.flatMap(typesOf);
  if (types.includes('number') || types.includes('integer')) {
    if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Returns true if a value is one of the strings in an enumeration, or if any string is allowed. */
function acceptsText(schema: JsonSchema, text: string): boolean {
  const values: unknown = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? values.includes(text) : isString(schema);
}

function isString(schema: JsonSchema): boolean {
  return typesOf(schema).includes('string');
}

/** Returns a schema, the targets of its references and the branches of its unions. */
function withBranches(property: unknown, document: JsonSchema): readonly JsonSchema[] {
  const resolve = (ref: string) => resolvePointer(document, ref);
  return closure(isObject(property) ? [property] : [], (schema) => branchesOf(schema, resolve));
}
