import { isObject } from '@fledge-internal/options';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { withSafeIntegers } from './big-integers.js';
import { Definitions } from './definitions.js';
import { flatRootOf } from './flat-root.js';
import { withListItems } from './list-items.js';
import { withoutMarked } from './marked-properties.js';
import type { Field } from './shape.js';
import { convertedSchema } from './sources/standard-json-schema.js';
import { escapedToken, mapRefs, refsIn, resolvePointer } from './subschemas.js';

/** Keywords that decide whether a schema accepts additional properties. */
const SAYS_WHICH = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
] as const;

/** Keywords with subschemas. `additionalProperties` ignores the properties of these subschemas. */
const BRANCHES = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  '$ref',
  '$dynamicRef',
  'dependentSchemas',
] as const;

/**
 * Returns the JSON Schema of a hand-written `inputSchema`. A JSON Schema is kept, with two
 * additions. Missing path parameters are added, because a request needs them. If the schema is a
 * plain list of properties without a rule for other properties, `additionalProperties: false` is
 * added. Read-only properties are removed. A Standard Schema is converted. The result rejects
 * unknown arguments unless the Standard Schema allows them.
 * @throws {ToolSchemaError} if the schema is not of type object, if it cannot be converted, or if a
 * local reference has no target
 */
export function explicitSchema(
  given: StandardSchema | JsonSchema,
  path: readonly Field[],
  site: string,
  warn: (warning: string) => void,
): JsonSchema {
  const written = isStandardSchema(given) ? convertedObject(given, site, warn) : given;
  if (!isObject(written)) {
    throw new ToolSchemaError(
      site,
      'the schema must be a JSON Schema object or a Standard Schema, such as a zod schema.',
    );
  }
  if (written['type'] !== 'object') {
    const type = JSON.stringify(written['type']) ?? 'undefined';
    throw new ToolSchemaError(
      site,
      `the arguments of a tool must be an object, but the schema has type ${type}. Set type: 'object'.`,
    );
  }
  const lost = refsIn(written).find(
    (ref) => /^#(\/|$)/.test(ref) && resolvePointer(written, ref) === undefined,
  );
  if (lost !== undefined) {
    throw new ToolSchemaError(
      site,
      `the reference "${lost}" has no target. Add the target, or correct the reference.`,
    );
  }
  const schema = isVerbatim(written) ? written : withoutAnchors(written);
  const isPlain = ![...SAYS_WHICH, ...BRANCHES].some((keyword) => keyword in written);
  return {
    ...withPath(withoutMarked(schema, 'readOnly'), path),
    ...(isPlain ? { additionalProperties: false } : {}),
  };
}

/**
 * Converts references to anchors in `$defs` to JSON Pointers, because clients support no other
 * references.
 */
function withoutAnchors(schema: JsonSchema): JsonSchema {
  const definitions = isObject(schema['$defs']) ? Object.entries(schema['$defs']) : [];
  const pointers = new Map<string, string>(
    definitions.flatMap(([name, definition]) =>
      isObject(definition) && typeof definition['$anchor'] === 'string'
        ? [[`#${definition['$anchor']}`, `#/$defs/${escapedToken(name)}`] as const]
        : [],
    ),
  );
  return pointers.size === 0 ? schema : mapRefs(schema, (ref) => pointers.get(ref) ?? ref);
}

/**
 * The schemas of a hand-written input. If the published schema does not validate calls, there is a
 * second schema for this.
 */
export interface PublishedForm {
  readonly schema: JsonSchema;
  readonly accepted?: JsonSchema;
}

/**
 * Returns a hand-written schema in a form that every client accepts: without compositions at the
 * root, with `properties`, and with `items` for each list. A schema with `$schema` keeps its
 * keywords, as the MCP conformance suite requires.
 */
export function publishedFormOf(
  written: JsonSchema,
  site: string,
  warn: (warning: string) => void,
): PublishedForm {
  const flat = flatRootOf(written);
  if (flat) {
    warn(
      `${site} has ${flat.rejected.join(', ')} at its root. Clients such as Claude reject all ` +
        'tools of a server with such a schema. ' +
        (isVerbatim(written)
          ? 'This schema is published unchanged, because it has $schema. Remove $schema to ' +
            'publish all properties as one list.'
          : 'So all properties are published as one list. Calls are still validated against the ' +
            'original schema.'),
    );
  }
  const isFlattened = flat !== undefined && !isVerbatim(written);
  const accepted = withSafeIntegers(written) ?? (isFlattened ? written : undefined);
  const schema = withProperties(isFlattened ? flat.schema : written);
  return {
    schema: isVerbatim(written) ? schema : withListItems(schema),
    ...(accepted && { accepted }),
  };
}

/** A schema with `$schema` is published with all of its keywords. */
function isVerbatim(schema: JsonSchema): boolean {
  return '$schema' in schema;
}

/**
 * Adds `properties` if it is missing. OpenAI's API rejects a tool without `properties`, even if the
 * tool has no arguments.
 */
function withProperties(schema: JsonSchema): JsonSchema {
  return 'properties' in schema ? schema : { ...schema, properties: {} };
}

/** Converts a Standard Schema. Adds the root type, which MCP requires. Unions have none. */
function convertedObject(
  given: StandardSchema,
  site: string,
  warn: (warning: string) => void,
): JsonSchema {
  const definitions = new Definitions();
  const converted = convertedSchema(given, 'input', site, (fact) => warn(`${site}: ${fact}.`));
  const schema = definitions.adopt(converted, 'Arguments');
  const $defs = definitions.neededBy(schema);
  const closed =
    !SAYS_WHICH.some((keyword) => keyword in schema) &&
    BRANCHES.some((keyword) => keyword in schema);
  return {
    ...('type' in schema ? {} : { type: 'object' }),
    ...schema,
    ...(closed ? { unevaluatedProperties: false } : {}),
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
}

function withPath(schema: JsonSchema, path: readonly Field[]): JsonSchema {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const absent = path.filter(({ name }) => !Object.hasOwn(properties, name));
  const unasked = path.filter((field) => field.required && !required.includes(field.name));
  const added = Object.fromEntries(absent.map((field) => [field.name, field.schema]));
  return {
    ...schema,
    ...(absent.length > 0 ? { properties: { ...properties, ...added } } : {}),
    ...(unasked.length > 0 ? { required: [...required, ...unasked.map(({ name }) => name)] } : {}),
  };
}
