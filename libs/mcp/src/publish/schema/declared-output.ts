import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { Route } from '../routes/route.js';
import { Definitions, withNeededDefinitions } from './definitions.js';
import { frozenCopy, saysKind, without } from './json-schema.js';
import { withoutMarked } from './marked-properties.js';
import { looseSchema } from './loose-schema.js';
import type { PublishedOutput, ToolOutput } from './output-schema.js';
import {
  type AnswerSource,
  serializerSchema,
  swaggerSchema,
  zodSerializerSchema,
} from './sources/answer-schema.js';
import { resolvePointer } from './subschemas.js';

/**
 * Sources that validate or serialize the response at run time come first. Sources that only
 * document the response come last.
 */
const SOURCES: readonly AnswerSource[] = [serializerSchema, zodSerializerSchema, swaggerSchema];

/**
 * If a response does not match the declared schema, it is sent in this property of
 * `structuredContent`.
 */
export const BODY = 'body';

/**
 * Returns the output that a route declares. Returns undefined if there is no declaration, or if it
 * does not define a type. If a source has a problem, passes it to `warn` and reads the next source.
 */
export function declaredOutputOf(
  route: Route,
  warn: (warning: string) => void,
): ToolOutput | undefined {
  for (const source of SOURCES) {
    try {
      const schema = source(route);
      if (schema && saysSomething(schema)) {
        const partial = () => declaredOutput(looseSchema(schema, 'dropped'));
        return declaredOutput(looseSchema(schema, 'kept'), partial);
      }
    } catch (error) {
      warn(`${(error as Error).message} No output schema is published for this route.`);
    }
  }
  return undefined;
}

/** Returns the output of a hand-written schema for responses from which fields are removed. */
export function partialOutputOf(schema: JsonSchema): ToolOutput {
  const definitions = new Definitions();
  const root = definitions.adopt(schema, 'Answer');
  return declaredOutput(looseSchema({ ...root, $defs: definitions.neededBy(root) }, 'dropped'));
}

function saysSomething(schema: JsonSchema): boolean {
  const root = rootOf(schema);
  return saysKind(root) && (root['type'] !== 'object' || Object.keys(root).length > 1);
}

/**
 * Publishes a loose schema. A response that does not match the schema is sent in the property
 * `body` of an object. Object schemas allow this property; other schemas get a branch for it.
 * @param partial returns the output for responses from which fields are removed. By default the
 * same output
 */
export function declaredOutput(
  whole: JsonSchema,
  partial: ToolOutput['partial'] = () => declaredOutput(whole),
): ToolOutput {
  const sent = sentSchema(whole);
  const document = withNeededDefinitions(withoutMarked(whole, 'writeOnly'));
  const { $defs, ...schema } = document;
  const root = rootOf(document);
  const published = (form: JsonSchema, property?: 'result'): PublishedOutput =>
    frozenCopy({ schema: { ...form, ...($defs !== undefined && { $defs }) }, property });

  if (acceptsOnlyObjects(root, document)) {
    const open = without(root, 'type', 'required');
    const form = takesBody(open, document) ? open : { anyOf: [root, ANY_BODY] };
    const output = published({ type: 'object', ...form });
    return { source: 'declared', object: output, json: output, sent, partial };
  }
  return {
    source: 'declared',
    object: published({ type: 'object', properties: { result: schema } }, 'result'),
    json: published({ anyOf: [schema, ANY_BODY] }),
    sent,
    partial,
  };
}

/**
 * Returns the schema of a response before redaction. The schema still contains write-only
 * properties, so they can be redacted.
 */
function sentSchema({ $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    anyOf: [schema, { properties: { result: schema, [BODY]: schema } }],
    ...($defs !== undefined && { $defs }),
  };
}

const ANY_BODY: JsonSchema = { type: 'object', properties: { [BODY]: {} }, required: [BODY] };

/**
 * Returns the root schema without `$defs`. If the root is a reference, returns its target, because
 * clients expect properties at the root.
 */
function rootOf(document: JsonSchema): JsonSchema {
  const root = without(document, '$defs');
  const ref = root['$ref'];
  const target = typeof ref === 'string' ? resolvePointer(document, ref) : undefined;
  return isObject(target) && !('$ref' in target) ? { ...target, ...without(root, '$ref') } : root;
}

/**
 * Returns true if a schema accepts only objects. Its own type may say so, or the types of all its
 * parts.
 */
function acceptsOnlyObjects(schema: JsonSchema, document: JsonSchema): boolean {
  if (schema['type'] !== undefined) return schema['type'] === 'object';
  const parts = partsOf(schema, document);
  return parts.length > 0 && parts.every((part) => acceptsOnlyObjects(part, document));
}

/** Returns true if an object schema accepts an object that contains only the property `body`. */
function takesBody(schema: JsonSchema, document: JsonSchema): boolean {
  const { properties } = schema;
  const isTaken = isObject(properties) && Object.hasOwn(properties, BODY);
  const isOpen = Object.keys(schema).every((keyword) => OPEN.has(keyword));
  return isOpen && !isTaken && partsOf(schema, document).every((part) => takesBody(part, document));
}

/** Keywords that do not reject additional properties. */
const OPEN = new Set([
  'type',
  'title',
  'description',
  'properties',
  'examples',
  'deprecated',
  'writeOnly',
  'allOf',
]);

function partsOf({ allOf }: JsonSchema, document: JsonSchema): readonly JsonSchema[] {
  if (!Array.isArray(allOf)) return [];
  const { $defs } = document;
  return allOf.filter(isObject).map((part) => rootOf({ ...part, $defs }));
}
