import { isObject, isToken } from '@fledge-internal/options';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { mapSubschemas } from '../../publish/schema/subschemas.js';

/**
 * Schema keyword for a property that clients repeat as a header (MCP 2026-07-28, Streamable HTTP,
 * custom headers).
 */
const KEYWORD = 'x-mcp-header';

/** An argument that clients of 2026-07-28 also send as the header `Mcp-Param-{name}`. */
export interface ArgumentHeader {
  /** Property names from the root of the arguments to the argument. */
  readonly path: readonly string[];
  /** Header name in lower case, such as `mcp-param-region`. */
  readonly header: string;
  readonly type: 'string' | 'integer' | 'boolean';
}

/**
 * Adds the keyword to properties of an input schema.
 * @param names header name of each argument: `{ region: 'Region' }` becomes the header
 * `Mcp-Param-Region`
 * @throws ToolSchemaError if there is no such argument
 */
export function addHeaders(
  schema: JsonSchema,
  names: Readonly<Record<string, string>>,
  place: string,
): JsonSchema {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const changed: Record<string, unknown> = { ...properties };
  for (const [argument, name] of Object.entries(names)) {
    const property = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    if (!isObject(property)) {
      throw new ToolSchemaError(
        place,
        `the option \`headers\` of @McpTool contains the argument "${argument}", which does not exist. The arguments are: ` +
          `${Object.keys(properties).join(', ') || 'none'}.`,
      );
    }
    changed[argument] = Object.freeze({ ...property, [KEYWORD]: name });
  }
  return Object.freeze({ ...schema, properties: Object.freeze(changed) });
}

/**
 * Reads the headers that an input schema declares. Returns undefined if there are none.
 * @throws ToolSchemaError if clients would reject the header's name, its type or its place in the
 * schema
 */
export function readHeaders(
  schema: JsonSchema,
  place: string,
): readonly ArgumentHeader[] | undefined {
  // Most schemas declare no headers. Searching the JSON of the schema is the fastest test.
  if (!JSON.stringify(schema).includes(`"${KEYWORD}":`)) return undefined;
  const found: ArgumentHeader[] = [];
  collect(schema, [], found, place);
  if (found.length < countIn(schema)) {
    throw new ToolSchemaError(
      place,
      `${KEYWORD} is inside a list, a $ref or a composed schema, but clients accept it only on ` +
        'properties.',
    );
  }
  const names = found.map(({ header }) => header);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new ToolSchemaError(
      place,
      `two arguments use the header ${twice}. Rename one of the headers.`,
    );
  }
  return found.length === 0 ? undefined : found;
}

function collect(
  { properties }: JsonSchema,
  outer: readonly string[],
  found: ArgumentHeader[],
  place: string,
): void {
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const path = [...outer, name];
    if (KEYWORD in property) found.push(headerOf(property, path, place));
    collect(property, path, found, place);
  }
}

function headerOf(property: JsonSchema, path: readonly string[], place: string): ArgumentHeader {
  const { type } = property;
  const name = property[KEYWORD];
  const argument = path.join('.');
  if (!isToken(name)) {
    throw new ToolSchemaError(
      place,
      `the header of the argument "${argument}" is ${JSON.stringify(name)}, but must be a valid ` +
        'header name, such as "Region".',
    );
  }
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw new ToolSchemaError(
      place,
      `the argument "${argument}" has a header, so its type must be string, integer or boolean. ` +
        `Its type is ${JSON.stringify(type) ?? 'not given'}.`,
    );
  }
  return { path, header: `mcp-param-${name.toLowerCase()}`, type };
}

/** Returns the number of subschemas that have the keyword. */
function countIn(schema: JsonSchema): number {
  let count = KEYWORD in schema ? 1 : 0;
  mapSubschemas(schema, (inner) => {
    count += countIn(inner);
    return inner;
  });
  return count;
}
