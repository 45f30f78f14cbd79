import type { McpToolExample } from '../decorators/tool.metadata.js';
import type { Definitions } from './definitions.js';
import { frozenCopy } from './json-schema.js';
import { type Field, objectSchema, type Shape } from './shape.js';
import type { ArgumentPlace, ToolInput } from './tool-input.js';

/** The values of a request by place, before they have names among the arguments. */
export interface RequestShape {
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  /** Query parameters left out, see `ToolInput`. */
  readonly unreadable: readonly string[];
  readonly body: Shape | undefined;
}

interface PlacedField {
  readonly place: ArgumentPlace;
  readonly field: Field;
}

/**
 * Lays path, query and body into one flat list of arguments. Where two want one name the body keeps
 * it, then the path; the other gets a suffix (`id__path`, `page__query`). They stay two arguments
 * even where their types are equal: a direct request may give them different values, to rename a
 * thing for example, and so may a call.
 */
export function flatInput(
  request: RequestShape,
  definitions: Definitions,
  examples: readonly McpToolExample[] | undefined,
): ToolInput {
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

/** A sentence for each argument that does not have the name its value has in the request. */
export function renamesOf({ places }: ToolInput): readonly string[] {
  return places
    .filter(({ argument, name }) => argument !== name)
    .map(
      ({ argument, place, name }) =>
        `the ${place} parameter "${name}" is the argument "${argument}", because the name is taken`,
    );
}

function placedFields(request: RequestShape): readonly PlacedField[] {
  const body = bodyFields(request.body);
  const taken = new Set(body.map(({ name }) => name));
  const outside = (place: 'path' | 'query', fields: readonly Field[]): readonly PlacedField[] =>
    fields.map((field) => {
      const argument = freeName(field.name, place, taken);
      taken.add(argument);
      return { place: { argument, place, name: field.name }, field };
    });
  const path = outside('path', request.path);
  const query = outside('query', request.query);
  return [
    ...path,
    ...query,
    ...body.map((field) => ({
      place: { argument: field.name, place: 'body' as const, name: field.name },
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
