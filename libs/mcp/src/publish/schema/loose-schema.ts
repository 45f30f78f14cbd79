import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { defined, typesOf, without } from './json-schema.js';
import { mapSubschemas, resolvePointer } from './subschemas.js';

/** Types of JSON Schema. Validators may throw for other types, such as `date`. */
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

/** True if properties stay required. A class does not show which properties a serializer omits. */
export type RequiredProperties = 'kept' | 'dropped';

/**
 * Returns a schema document for responses that compiles in every dialect and with every validator.
 * Types, properties, items, unions, enumerations and annotations are kept. All other keywords are
 * removed: limits, patterns, formats, `additionalProperties: false`, conditions. They could reject
 * a valid response, or have another meaning in another dialect. References without a target accept
 * any value.
 */
export function looseSchema(document: JsonSchema, required: RequiredProperties): JsonSchema {
  const { $defs, ...root } = document;
  const loose = looseIn(root, required);
  const definitions = isObject($defs) ? schemasIn($defs, required) : {};
  const whole = { ...loose, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
  return withoutLostRefs(whole, whole);
}

function looseIn(schema: JsonSchema, required: RequiredProperties): JsonSchema {
  const types = typesOf(schema).filter((type) => TYPES.has(type));
  const { properties, patternProperties, additionalProperties, items, prefixItems } = schema;
  const names = schema['required'];
  return defined({
    type: types.length === 1 ? types[0] : types.length > 0 ? types : undefined,
    ...annotations(schema),
    $ref: typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined,
    enum: isList(schema['enum']) ? schema['enum'] : undefined,
    const: schema['const'],
    properties: isObject(properties) ? schemasIn(properties, required) : undefined,
    required: required === 'kept' && isList(names) ? names : undefined,
    additionalProperties:
      isObject(additionalProperties) && patternProperties === undefined
        ? looseIn(additionalProperties, required)
        : undefined,
    prefixItems: schemaList(prefixItems, required),
    // Before 2020-12, `items` also applies to the items described by `prefixItems`.
    items: isObject(items) && !isList(prefixItems) ? looseIn(items, required) : undefined,
    // If `required` is removed, several branches of a `oneOf` may accept the same value.
    anyOf: schemaList(schema['anyOf'] ?? schema['oneOf'], required),
    allOf: schemaList(schema['allOf'], required),
  });
}

/**
 * Returns the annotations. A format becomes part of the description, because validators interpret
 * formats differently.
 */
function annotations(schema: JsonSchema): JsonSchema {
  const { title, description, format, writeOnly, deprecated, examples } = schema;
  const said = typeof description === 'string' ? description : undefined;
  const isSecret = format === 'password';
  const told = typeof format === 'string' && !isSecret ? `Format: ${format}.` : undefined;
  return {
    title: typeof title === 'string' ? title : undefined,
    description: told === undefined ? said : said === undefined ? told : `${said} ${told}`,
    // These keywords are needed to redact traces.
    format: isSecret ? format : undefined,
    writeOnly: writeOnly === true ? true : undefined,
    deprecated: deprecated === true ? true : undefined,
    examples: isList(examples) ? examples : undefined,
  };
}

function schemasIn(schemas: JsonSchema, required: RequiredProperties): JsonSchema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, inner]) => [
      name,
      isObject(inner) ? looseIn(inner, required) : {},
    ]),
  );
}

function schemaList(
  given: unknown,
  required: RequiredProperties,
): readonly JsonSchema[] | undefined {
  return isList(given)
    ? given.map((inner) => (isObject(inner) ? looseIn(inner, required) : {}))
    : undefined;
}

function withoutLostRefs(schema: JsonSchema, document: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, (inner) => withoutLostRefs(inner, document));
  const ref = inside['$ref'];
  if (typeof ref !== 'string') return inside;
  const found = ref.startsWith('#/') && isObject(resolvePointer(document, ref));
  return found ? inside : without(inside, '$ref');
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
