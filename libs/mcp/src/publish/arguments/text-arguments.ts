import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { typesOf } from '../schema/json-schema.js';
import type { OperationInput } from '../schema/operation-input.js';
import { resolvePointer } from '../schema/subschemas.js';

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
      return [name, valueOf(resolved(property, schema), text, schema)];
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
  property: JsonSchema,
  text: string | readonly string[],
  schema: JsonSchema,
): unknown {
  const types = typesOf(property);
  if (types.includes('array') && !types.includes('string')) {
    const items = resolved(property['items'], schema);
    return [text].flat().map((each) => scalarOf(items, each));
  }
  return typeof text === 'string' ? scalarOf(property, text) : text;
}

function scalarOf(property: JsonSchema, text: string): unknown {
  const types = typesOf(property);
  if (types.includes('string')) return text;
  if (types.includes('number') || types.includes('integer')) {
    if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function resolved(property: unknown, schema: JsonSchema): JsonSchema {
  if (!isObject(property)) return {};
  const ref = property['$ref'];
  const target = typeof ref === 'string' ? resolvePointer(schema, ref) : undefined;
  return isObject(target) ? target : property;
}
