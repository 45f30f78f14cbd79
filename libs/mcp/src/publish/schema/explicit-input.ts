import { isObject } from '@fledge-internal/options';
import type { JsonSchema, StandardSchema } from '../decorators/author-schema.js';
import type { McpToolExample } from '../../mcp-tool.options.js';
import type { Route } from '../routes/route.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { Definitions } from './definitions.js';
import { ArgumentNames, examplesOf, isArgumentName, renamedProperties } from './argument-names.js';
import { withBigTextIn } from './big-integers.js';
import { explicitSchema, publishedFormOf } from './explicit-schema.js';
import { frozenCopy } from './json-schema.js';
import { pathFields } from './path-fields.js';
import { queryFields } from './query-fields.js';
import { propertiesAnywhere, resolvePointer } from './subschemas.js';
import type { Field } from './shape.js';
import { textValue } from './text-value.js';
import type { ArgumentPlace, OperationInput } from './operation-input.js';

/**
 * Returns the input of a tool with a hand-written `@McpTool({ inputSchema })`. An argument with the
 * name of a path parameter is sent in the path. An argument with the name of a declared query
 * parameter is sent in the query string. All other arguments are sent in the body. If the route has
 * no body, they are sent in the query string.
 */
export function explicitInput(
  route: Route,
  given: StandardSchema | JsonSchema,
  examples: readonly McpToolExample[] | undefined,
  warn: (warning: string) => void,
): OperationInput {
  const path = declared(route, pathFields, () => route.pathParameters.map(undeclaredSegment));
  const site = `inputSchema of ${route.label}`;
  const written = explicitSchema(given, path, site, warn);
  const rest = bodyTakesTheRest(route) ? 'body' : 'query';
  const named = placesOf(written, route, rest);
  const unreadable =
    route.queryReads === 'objects'
      ? []
      : objectsIn(written, new Set(named.flatMap((to) => (to.target === 'query' ? to.name : []))));
  const { schema: renamed, places } = withAcceptedNames(written, named);
  const schema: JsonSchema = {
    ...withBigTextIn(renamed, namesInUrl(places)),
    ...(examples === undefined ? {} : { examples: examplesOf(examples, places) }),
  };
  const isOpen =
    schema['additionalProperties'] !== false && schema['unevaluatedProperties'] !== false;
  return frozenCopy({
    ...publishedFormOf(schema, site, warn),
    places,
    body: bodyMode(route, places, isOpen && rest === 'body'),
    ...(unreadable.length > 0 ? { unreadable } : {}),
    ...(isOpen ? { rest } : {}),
  });
}

function namesInUrl(places: readonly ArgumentPlace[]): ReadonlySet<string> {
  return new Set(places.flatMap(({ target, argument }) => (target === 'body' ? [] : argument)));
}

/**
 * Returns the schema with argument names that clients accept, and the places of the arguments. Each
 * place has the original name, which is used in the request.
 */
function withAcceptedNames(
  written: JsonSchema,
  places: readonly ArgumentPlace[],
): { readonly schema: JsonSchema; readonly places: readonly ArgumentPlace[] } {
  if (places.every(({ argument }) => isArgumentName(argument))) return { schema: written, places };
  const names = new ArgumentNames(new Set(places.map(({ argument }) => argument)));
  const renames = new Map(
    places.map(({ argument, target }) => [argument, names.nameOf(argument, target)]),
  );
  const schema = renamedProperties(written, renames, (ref) => resolvePointer(written, ref));
  const renamed = places.map((place) => ({
    ...place,
    argument: renames.get(place.argument) ?? place.argument,
  }));
  return { schema, places: renamed };
}

/**
 * Returns the path or query fields that a route declares. If a parameter's schema cannot be
 * converted, returns `otherwise()`. There is no error, because the hand-written schema replaces the
 * parameter's schema.
 */
function declared(
  route: Route,
  read: (
    route: Route,
    definitions: Definitions,
    warn: (warning: string) => void,
  ) => readonly Field[],
  otherwise: () => readonly Field[],
): readonly Field[] {
  try {
    return read(route, new Definitions(), () => undefined);
  } catch (error) {
    if (error instanceof ToolSchemaError) return otherwise();
    throw error;
  }
}

function undeclaredSegment({ name, optional }: Route['pathParameters'][number]): Field {
  return { name, schema: { type: 'string', minLength: 1 }, required: !optional };
}

function placesOf(
  schema: JsonSchema,
  route: Route,
  rest: 'query' | 'body',
): readonly ArgumentPlace[] {
  const path = new Set(route.pathParameters.map(({ name }) => name));
  const named = route.parameters
    .filter(({ source }) => source === 'query')
    .flatMap(({ name }) => name ?? []);
  const fields = declared(route, queryFields, () => []);
  const query = new Set([...named, ...fields.map(({ name }) => name)]);
  return [...propertiesAnywhere(schema, (ref) => resolvePointer(schema, ref)).keys()].map(
    (name) => {
      const target = path.has(name) ? 'path' : query.has(name) ? 'query' : rest;
      const list = target === 'query' && fields.find((field) => field.name === name)?.list;
      return { argument: name, target, name, ...(list && { list }) };
    },
  );
}

/** Returns the names of the arguments that accept only objects. */
function objectsIn(schema: JsonSchema, names: ReadonlySet<string>): readonly string[] {
  const resolve = (ref: string) => resolvePointer(schema, ref);
  const asRecord = (ref: string) => [resolve(ref)].filter(isObject)[0];
  return [...propertiesAnywhere(schema, resolve)].flatMap(([name, schemas]) =>
    names.has(name) && schemas.every((each) => textValue(each, asRecord) === undefined) ? name : [],
  );
}

/**
 * Returns true if other arguments are sent in the body. A GET request has no body. A DELETE request
 * has a body only if the route reads the body.
 */
function bodyTakesTheRest(route: Route): boolean {
  if (route.verb === 'GET') return false;
  return route.verb !== 'DELETE' || readsBody(route);
}

function readsBody(route: Route): boolean {
  return route.parameters.some(({ source }) => source === 'body');
}

function bodyMode(
  route: Route,
  places: readonly ArgumentPlace[],
  isOpen: boolean,
): OperationInput['body'] {
  const inBody = places.filter(({ target }) => target === 'body');
  const readsArray = route.parameters.some(
    ({ source, name, type }) => source === 'body' && name === undefined && type === Array,
  );
  if (readsArray && inBody.length === 1 && inBody[0]?.name === 'body') return 'whole';
  const hasBody = inBody.length > 0 || isOpen || (readsBody(route) && bodyTakesTheRest(route));
  return hasBody ? 'fields' : 'none';
}
