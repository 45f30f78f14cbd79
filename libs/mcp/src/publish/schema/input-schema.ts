import type { McpToolExample, McpToolOptions } from '../../mcp-tool.options.js';
import type { Route } from '../routes/route.js';
import { ArgumentNames, examplesOf } from './argument-names.js';
import { bodyShape } from './body-shape.js';
import { withSafeIntegers } from './big-integers.js';
import { Definitions, withNeededDefinitions } from './definitions.js';
import { withListItems } from './list-items.js';
import { explicitInput } from './explicit-input.js';
import { pathFields } from './path-fields.js';
import { readableQuery } from './query-fields.js';
import type { ArgumentPlace, OperationInput } from './operation-input.js';
import { frozenCopy } from './json-schema.js';
import { notReadOnly, withoutMarked } from './marked-properties.js';
import { type Field, objectSchema, type Shape } from './shape.js';

/**
 * Returns the published input schema of a route, and the place of each argument in the request.
 * Passes problems to `warn`, as sentences with the name of the route.
 *
 * @throws {ToolSchemaError} if a schema cannot be published as JSON Schema
 * @throws {ParameterTypesError} if the compiler emitted no type for a complete `@Body()` or
 * `@Query()`
 */
export function inputSchemaOf(
  route: Route,
  tool: McpToolOptions | undefined,
  warn: (warning: string) => void,
): OperationInput {
  if (tool?.inputSchema !== undefined)
    return explicitInput(route, tool.inputSchema, tool.examples, warn);
  const definitions = new Definitions();
  const request = {
    path: pathFields(route, definitions, warn),
    ...readableQuery(route, definitions, warn),
    body: bodyShape(route, definitions, warn),
  };
  return flatInput(request, definitions, tool?.examples);
}

/** The fields of a request, before argument names are assigned. */
interface RequestShape {
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  /** Names of omitted query parameters; see `OperationInput`. */
  readonly unreadable: readonly string[];
  readonly body: Shape | undefined;
}

interface PlacedField {
  readonly place: ArgumentPlace;
  readonly field: Field;
}

/**
 * Combines path, query and body fields into one flat list of arguments. If several fields have the
 * same name, the body field keeps the name. If there is no body field, the path field keeps it. The
 * others get a suffix (`id__path`, `page__query`). A name that clients reject is replaced:
 * `page[size]` becomes the argument `page_size`. Fields with the same name are never merged, even
 * if their types are equal. A request may need different values: for example, the path contains the
 * old id and the body contains the new id.
 */
function flatInput(
  request: RequestShape,
  definitions: Definitions,
  examples: readonly McpToolExample[] | undefined,
): OperationInput {
  const placed = placedFields(request);
  const properties = placed.map(({ field, place }) => ({ ...field, name: place.argument }));
  const { type, properties: named, required } = objectSchema(properties);
  const $defs = definitions.neededBy({ properties: named });
  const whole = {
    type,
    // OpenAI's API rejects a tool without `properties`, even if the tool has no arguments.
    properties: named,
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 ? { $defs } : {}),
  };
  const written = withNeededDefinitions(withListItems(withoutMarked(whole, 'readOnly')));
  const places = placed
    .map(({ place }) => place)
    .filter(({ argument }) => Object.hasOwn(written['properties'] as object, argument));
  const schema = {
    ...written,
    ...(examples === undefined ? {} : { examples: examplesOf(examples, places) }),
  };
  const accepted = withSafeIntegers(schema);
  return frozenCopy({
    schema,
    ...(accepted && { accepted }),
    places,
    body: request.body === undefined ? 'none' : request.body.kind,
    ...(request.unreadable.length > 0 ? { unreadable: request.unreadable } : {}),
  });
}

function placedFields(request: RequestShape): readonly PlacedField[] {
  const fields = bodyFields(request.body);
  const all = [...fields, ...request.path, ...request.query].map(({ name }) => name);
  const names = new ArgumentNames(new Set(all));
  const placed = (target: ArgumentPlace['target'], of: readonly Field[]): readonly PlacedField[] =>
    of.map((field) => {
      const { name, schema, list } = field;
      const argument = names.nameOf(name, target);
      const place = { argument, target, name, ...(list && { list }) };
      // Parameters in the URL cannot be omitted.
      return {
        place,
        field: target === 'path' ? { ...field, schema: notReadOnly(schema) } : field,
      };
    });
  // Names are first assigned to body fields, so these keep their names.
  const body = placed('body', fields);
  return [...placed('path', request.path), ...placed('query', request.query), ...body];
}

function bodyFields(body: Shape | undefined): readonly Field[] {
  if (body === undefined) return [];
  if (body.kind === 'fields') return body.fields;
  return [{ ...body, schema: notReadOnly(body.schema), name: 'body' }];
}
