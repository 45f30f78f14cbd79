import { parameterLabel, type Route, type RouteParameter } from '../routes/route.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { withBigText } from './big-integers.js';
import type { Definitions } from './definitions.js';
import { layered, saysKind } from './json-schema.js';
import {
  parameterSchema,
  refuseMissingTypes,
  separatorOf,
  unknownType,
} from './sources/parameter-schema.js';
import type { ListForm } from './operation-input.js';
import { type Field, shapeOf } from './shape.js';
import { swaggerSchemaOf } from './sources/swagger-schema.js';
import { type SwaggerOptions, swaggerParametersOf } from './sources/swagger-metadata.js';
import { textValue } from './text-value.js';
import type { SchemaScope } from './sources/schema-scope.js';
import { schemaScope } from './sources/type-schema.js';
import { propertiesAnywhere } from './subschemas.js';

/**
 * Returns the query fields that the application's query string parser supports. Also returns the
 * names of the fields that the parser does not support.
 */
export function readableQuery(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): { readonly query: readonly Field[]; readonly unreadable: readonly string[] } {
  const fields = queryFields(route, definitions, warn).map((field) => ({
    ...field,
    schema: withBigText(field.schema),
  }));
  if (route.queryReads === 'objects') return { query: fields, unreadable: [] };
  const query: Field[] = [];
  const unreadable: string[] = [];
  for (const field of fields) {
    const schema = textValue(field.schema, (ref) => definitions.resolve(ref));
    if (schema === undefined) unreadable.push(field.name);
    else query.push({ ...field, schema });
  }
  return { query, unreadable };
}

/**
 * Returns the query fields of a route: `@Query('name')`, `@Query() dto`, and fields that only
 * `@ApiQuery` declares.
 */
export function queryFields(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): readonly Field[] {
  const documented = swaggerParametersOf(route.handler, 'query').filter(
    ({ name }) => typeof name === 'string' && name !== '',
  );
  const declared = route.parameters
    .filter(({ source }) => source === 'query')
    .flatMap((parameter) => {
      const place = parameterLabel(route, parameter);
      const scope = schemaScope(definitions, 'omitted', place, warn);
      return fieldsOfParameter(parameter, documented, route, { scope, place });
    });
  const fields = new Map(declared.toReversed().map((field) => [field.name, field]));
  const names = new Set([
    ...declared.map(({ name }) => name),
    ...documented.map(({ name }) => name as string),
  ]);
  const scope = schemaScope(definitions, 'omitted', route.label, warn);
  return [...names].map((name) => {
    const field = fields.get(name);
    const options = documented.find((candidate) => candidate['name'] === name);
    if (options === undefined) return field as Field;
    const described = swaggerSchemaOf(options, scope, route.handler);
    const list = documentedList(options) ?? field?.list;
    if (field === undefined)
      return { name, schema: described, required: options['required'] === true, list };
    return { ...field, schema: documentedOver(field.schema, described, definitions), list };
  });
}

/** Separators for each `style` (OpenAPI 3.1 §4.8.12). */
const SEPARATORS: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/**
 * Returns the form of a list in the query string, according to `style` and `explode` of
 * `@ApiQuery`. By default, the name is repeated.
 */
function documentedList(options: SwaggerOptions): ListForm | undefined {
  const { style = 'form', explode = style === 'form' } = options;
  const separator = SEPARATORS[String(style)];
  return explode === false && separator !== undefined ? { separator, form: 'joined' } : undefined;
}

/**
 * Merges the documented and the declared schema. If the documentation says string and a pipe
 * converts it to an object, uses only the documented schema. The query string contains the string.
 */
function documentedOver(
  declared: JsonSchema,
  described: JsonSchema,
  definitions: Definitions,
): JsonSchema {
  const asText = (schema: JsonSchema) => textValue(schema, (ref) => definitions.resolve(ref));
  const isText = saysKind(described) && asText(described) !== undefined;
  return isText && asText(declared) === undefined ? described : layered(described, declared);
}

function fieldsOfParameter(
  parameter: RouteParameter,
  documented: readonly SwaggerOptions[],
  route: Route,
  { scope, place }: { readonly scope: SchemaScope; readonly place: string },
): readonly Field[] {
  const { definitions } = scope;
  const known = parameterSchema(parameter, scope, place);
  if (parameter.name !== undefined) {
    const options = documented.find(({ name }) => name === parameter.name);
    if (known === undefined && options === undefined)
      scope.warn(unknownType(parameter, PUBLISHED[route.queryReads]));
    const required = known?.required ?? options?.['required'] === true;
    const separator = separatorOf(parameter.pipes);
    const list = separator === undefined ? undefined : ({ separator, form: 'split' } as const);
    return [{ name: parameter.name, schema: known?.schema ?? {}, required, list }];
  }
  if (known === undefined) {
    if (documented.length > 0) return [];
    refuseMissingTypes(parameter, place);
    scope.warn(unknownQuery(parameter));
    return [];
  }
  const shape = shapeOf(known.schema, false, definitions);
  if (shape.kind === 'fields') return shape.fields;
  const named = propertiesAnywhere(shape.schema, (ref) => definitions.resolve(ref));
  scope.warn(
    'only the named properties of this schema are published, because the schema is not a plain ' +
      'object',
  );
  return [...named].map(([name, schemas]) => ({ name, schema: anyOf(schemas), required: false }));
}

/**
 * Returns the part of a warning about a query parameter of unknown type. This part names the values
 * that the schema accepts.
 */
const PUBLISHED = {
  texts: 'the published schema accepts strings, numbers, booleans and lists of them',
  objects: 'the published schema accepts any value',
} as const;

function unknownQuery(parameter: RouteParameter): string {
  const fact = unknownType(parameter, 'no query argument is published');
  return `${fact}. You can also declare the query parameters with @ApiQuery`;
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}
