import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { typesOf, without } from '../../publish/schema/json-schema.js';
import { pointerTokens, refsIn, resolvePointer } from '../../publish/schema/subschemas.js';

/** Keywords that a line of Markdown can express. A schema with other keywords is shown as JSON. */
const IN_WORDS = new Set([
  'type',
  'format',
  'enum',
  'const',
  'description',
  'title',
  'default',
  'examples',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  '$ref',
]);

/** Keywords of an input schema that the Markdown list can express. */
const OF_INPUT = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'examples',
  'title',
  'description',
  '$defs',
  '$schema',
]);

/**
 * Formats the parameters of a tool as a Markdown list, with nested objects indented. A schema that
 * a list cannot express completely is shown as JSON Schema.
 */
export function parametersText(schema: JsonSchema): string {
  const { additionalProperties } = schema;
  if (
    Object.keys(schema).some((keyword) => !OF_INPUT.has(keyword)) ||
    isObject(additionalProperties)
  ) {
    return `**Parameters** (JSON Schema)\n${JSON.stringify(schema)}`;
  }
  const lines = linesOf({ document: schema, described: new Set() }, schema, '');
  if (additionalProperties === true) lines.push('- any other parameters');
  if (lines.length === 0) return 'No parameters.';
  return `**Parameters**\n${lines.join('\n')}${examplesText(schema)}${definitionsText(schema, lines)}`;
}

interface Text {
  /** The complete input schema, for resolving references. */
  readonly document: JsonSchema;
  /** References that are already described. */
  readonly described: Set<string>;
}

function linesOf(into: Text, schema: JsonSchema, indent: string): string[] {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return properties.flatMap(([name, property]) =>
    linesOfProperty(into, { name, schema: property, isRequired: required.includes(name) }, indent),
  );
}

interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function linesOfProperty(
  into: Text,
  { name, schema, isRequired }: Property,
  indent: string,
): string[] {
  const given = isObject(schema) ? schema : {};
  const said = inWords(into, given);
  const shown = said?.text ?? JSON.stringify(without(given, 'description'));
  const facts = isRequired ? `${shown}, required` : shown;
  const description = oneLine(said?.description ?? given['description']);
  const line = `${indent}- \`${name}\` (${facts})${description && `: ${description}`}`;
  return said?.object ? [line, ...linesOf(into, said.object, `${indent}  `)] : [line];
}

interface Said {
  readonly text: string;
  readonly description?: unknown;
  /** The object with the properties for the next, indented lines. */
  readonly object?: JsonSchema;
}

/** Returns undefined if words cannot express the schema completely. */
function inWords(into: Text, schema: JsonSchema): Said | undefined {
  if (Object.keys(schema).some((keyword) => !IN_WORDS.has(keyword))) return undefined;
  const { $ref: ref } = schema;
  if (typeof ref === 'string') return referenceInWords(into, schema, ref);
  const types = typesOf(schema);
  if (types.includes('array')) return listInWords(into, schema, types);
  const { properties, additionalProperties: more, description } = schema;
  if (isObject(more) || (more === true && isObject(properties))) return undefined;
  const text = [types.join(' or ') || 'any', ...limitsOf(schema)].join(', ');
  return { text, description, ...(isObject(properties) && { object: schema }) };
}

/** A definition is described only at its first use, because a definition may contain itself. */
function referenceInWords(into: Text, schema: JsonSchema, ref: string): Said | undefined {
  const target = resolvePointer(into.document, ref);
  const name = pointerTokens(ref).at(-1);
  if (!isObject(target) || name === undefined) return undefined;
  if (into.described.has(ref)) {
    return { text: `${name}, as above`, description: schema['description'] };
  }
  into.described.add(ref);
  const said = inWords(into, { ...target, ...without(schema, '$ref') });
  return said && { ...said, text: `${name} ${said.text}` };
}

function listInWords(into: Text, schema: JsonSchema, types: readonly string[]): Said | undefined {
  const { items, description } = schema;
  const item = items === undefined ? { text: 'any' } : isObject(items) && inWords(into, items);
  if (!item) return undefined;
  const others = types.filter((type) => type !== 'array').map((type) => ` or ${type}`);
  const limits = limitsOf(schema).map((limit) => `, ${limit}`);
  return {
    text: `list of ${item.text}${others.join('')}${limits.join('')}`,
    description: description ?? item.description,
    ...(item.object && { object: item.object }),
  };
}

/** Lists the constraints of a value, but not its type. */
function limitsOf(schema: JsonSchema): string[] {
  const { format, enum: values, const: only, pattern, default: otherwise, examples } = schema;
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...(Array.isArray(values) ? [`one of ${jsonOf(values)}`] : []),
    ...(only === undefined ? [] : [`always ${JSON.stringify(only)}`]),
    ...rangeOf(schema, 'minimum', 'maximum', ''),
    ...rangeOf(schema, 'minLength', 'maxLength', ' characters'),
    ...rangeOf(schema, 'minItems', 'maxItems', ' items'),
    ...(typeof pattern === 'string' ? [`matches ${JSON.stringify(pattern)}`] : []),
    ...(otherwise === undefined ? [] : [`default ${JSON.stringify(otherwise)}`]),
    ...(Array.isArray(examples) && examples.length > 0 ? [`such as ${jsonOf(examples)}`] : []),
  ];
}

function rangeOf(schema: JsonSchema, low: string, high: string, unit: string): string[] {
  const [from, to] = [schema[low], schema[high]].map((limit) => JSON.stringify(limit));
  if (from === undefined) return to === undefined ? [] : [`at most ${to}${unit}`];
  if (to !== undefined) return [`${from} to ${to}${unit}`];
  return [from === '1' && unit !== '' ? 'not empty' : `at least ${from}${unit}`];
}

function examplesText({ examples }: JsonSchema): string {
  if (!Array.isArray(examples) || examples.length === 0) return '';
  return `\n**Examples** ${jsonOf(examples)}`;
}

/** Returns the definitions that the lines refer to. */
function definitionsText(schema: JsonSchema, lines: readonly string[]): string {
  const text = lines.join('\n');
  const shown = text.includes('"$ref":') && isObject(schema['$defs']) && refsIn(schema).length > 0;
  return shown ? `\n**$defs** ${JSON.stringify(schema['$defs'])}` : '';
}

function jsonOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function oneLine(text: unknown): string {
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '';
}
