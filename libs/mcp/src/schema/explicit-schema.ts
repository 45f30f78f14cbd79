import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../mcp.errors.js';
import { Definitions } from './definitions.js';
import { isRecord } from './json-schema.js';
import type { Field } from './shape.js';
import { convertedSchema } from './sources/standard-json-schema.js';
import { refsIn, resolvePointer } from './subschemas.js';

/** Keywords by which a schema itself says which properties it lets in. */
const SAYS_WHICH = [
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
] as const;

/** Keywords that let in properties `additionalProperties` does not see. */
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
 * The schema of a hand-written `inputSchema`. A JSON Schema stays as it is, keyword by keyword, with
 * two additions: the path parameters it leaves out, without which there is no request, and
 * `additionalProperties: false` where it is a plain list of properties that says nothing on the
 * matter. A Standard Schema is converted and refuses unknown arguments unless it lets them in.
 *
 * @throws {ToolSchemaError} not of type object, not convertible, or with a reference to nothing
 */
export function explicitSchema(
  given: StandardSchema | JsonSchema,
  path: readonly Field[],
  site: string,
  warn: (warning: string) => void,
): JsonSchema {
  const written = isStandardSchema(given) ? convertedObject(given, site, warn) : given;
  if (!isRecord(written)) {
    throw new ToolSchemaError(site, 'a JSON Schema is an object. Give one, or a Standard Schema.');
  }
  if (written['type'] !== 'object') {
    const type = JSON.stringify(written['type']) ?? 'undefined';
    throw new ToolSchemaError(
      site,
      `the arguments of a tool are an object, not of type ${type}. Set type: 'object'.`,
    );
  }
  const unread = headerParameters(written);
  if (unread.length > 0) {
    throw new ToolSchemaError(
      site,
      `"x-mcp-header" on ${unread.join(', ')}: no header is read for an argument. Remove it.`,
    );
  }
  const lost = refsIn(written).find(
    (ref) => /^#(\/|$)/.test(ref) && resolvePointer(written, ref) === undefined,
  );
  if (lost !== undefined) {
    throw new ToolSchemaError(
      site,
      `nothing stands at the reference "${lost}". Add it, or mend the reference.`,
    );
  }
  const isPlain = ![...SAYS_WHICH, ...BRANCHES].some((keyword) => keyword in written);
  return { ...withPath(written, path), ...(isPlain ? { additionalProperties: false } : {}) };
}

/**
 * Properties that ask clients to send them as headers too (MCP 2026-07-28). Publishing them would be
 * a promise to compare header and argument.
 */
function headerParameters({ properties }: JsonSchema): readonly string[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isRecord(property)) return [];
    const inside = headerParameters(property).map((path) => `${name}.${path}`);
    return 'x-mcp-header' in property ? [name, ...inside] : inside;
  });
}

/** A union or a reference names no type at its root, but MCP asks for one. */
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
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
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
