import type { McpToolExample, McpToolOptions } from '../decorators/mcp-tool.decorator.js';
import type { Route } from '../routes/route.js';
import { bodyShape } from './body-shape.js';
import { Definitions } from './definitions.js';
import { explicitInput } from './explicit-input.js';
import { pathFields, readableQuery } from './url-fields.js';
import type { ArgumentPlace, OperationInput } from './operation-input.js';
import { frozenCopy } from './json-schema.js';
import { type Field, objectSchema, type Shape } from './shape.js';

/**
 * The published input schema of a route, and where each argument goes in the request. Pure:
 * problems are passed to `warn` as full sentences that name the route.
 *
 * @throws {ToolSchemaError} if a schema cannot be published as JSON Schema
 * @throws {ParameterTypesError} if the compiler emitted no type for a whole `@Body()` or `@Query()`
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

/** The fields of a request, before they get argument names. */
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
 * Combines path, query and body fields into one flat list of arguments. If two have the same name,
 * the body keeps it, then the path; the other gets a suffix (`id__path`, `page__query`). They stay
 * two arguments even if their types are equal, because a request may give them different values,
 * for example to rename a record.
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
  return frozenCopy({
    schema: {
      type,
      ...(placed.length > 0 ? { properties: named } : {}),
      ...(required === undefined ? {} : { required }),
      additionalProperties: false,
      ...(Object.keys($defs).length > 0 ? { $defs } : {}),
      ...(examples === undefined ? {} : { examples: examples.map(({ args }) => args) }),
    },
    places: placed.map(({ place }) => place),
    body: request.body === undefined ? 'none' : request.body.kind,
    ...(request.unreadable.length > 0 ? { unreadable: request.unreadable } : {}),
  });
}

/** One sentence for each argument whose name differs from its name in the request. */
export function renamesOf({ places }: OperationInput): readonly string[] {
  return places
    .filter(({ argument, name }) => argument !== name)
    .map(
      ({ argument, target, name }) =>
        `the ${target} parameter "${name}" is the argument "${argument}", because the name is taken`,
    );
}

function placedFields(request: RequestShape): readonly PlacedField[] {
  const body = bodyFields(request.body);
  const taken = new Set(body.map(({ name }) => name));
  const outside = (target: 'path' | 'query', fields: readonly Field[]): readonly PlacedField[] =>
    fields.map((field) => {
      const argument = freeName(field.name, target, taken);
      taken.add(argument);
      return { place: { argument, target, name: field.name }, field };
    });
  const path = outside('path', request.path);
  const query = outside('query', request.query);
  return [
    ...path,
    ...query,
    ...body.map((field) => ({
      place: { argument: field.name, target: 'body' as const, name: field.name },
      field,
    })),
  ];
}

function bodyFields(body: Shape | undefined): readonly Field[] {
  if (body === undefined) return [];
  return body.kind === 'fields' ? body.fields : [{ ...body, name: 'body' }];
}

function freeName(name: string, place: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const suffixed = `${name}__${place}`;
  if (!taken.has(suffixed)) return suffixed;
  for (let count = 2; ; count++) {
    if (!taken.has(`${suffixed}_${count}`)) return `${suffixed}_${count}`;
  }
}
