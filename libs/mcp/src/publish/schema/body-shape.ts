import { parameterLabel, type Route, type RouteParameter } from '../routes/route.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { classSchemaOf } from './sources/class-schema.js';
import type { Definitions } from './definitions.js';
import { layered } from './json-schema.js';
import { parameterSchema, refuseMissingTypes, unknownType } from './sources/parameter-schema.js';
import type { SchemaScope } from './sources/schema-scope.js';
import { type Field, type Shape, shapeOf } from './shape.js';
import { swaggerSchemaOf } from './sources/swagger-schema.js';
import { type SwaggerOptions, swaggerParametersOf } from './sources/swagger-metadata.js';
import { schemaScope } from './sources/type-schema.js';

/** Returns the shape of a route's request body, or undefined if no `@Body` parameter reads it. */
export function bodyShape(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): Shape | undefined {
  const parameters = route.parameters.filter(({ source }) => source === 'body');
  if (parameters.length === 0) return undefined;
  const shapes = parameters.map((parameter) => {
    const place = parameterLabel(route, parameter);
    const scope = schemaScope(definitions, 'carried', place, warn);
    return parameter.name === undefined
      ? wholeParameter(parameter, route, scope, place)
      : {
          kind: 'fields' as const,
          fields: [namedParameter(parameter, parameter.name, scope, place)],
        };
  });
  const known = shapes.filter((shape) => shape !== undefined);
  const whole = known.find(({ kind }) => kind === 'whole');
  if (whole !== undefined) return whole;
  if (known.length === 0) return { kind: 'whole', schema: { type: 'object' }, required: false };
  const fields = known.flatMap((shape) => (shape.kind === 'fields' ? shape.fields : []));
  return {
    kind: 'fields',
    fields: [...new Map(fields.map((field) => [field.name, field])).values()],
  };
}

function wholeParameter(
  parameter: RouteParameter,
  route: Route,
  scope: SchemaScope,
  place: string,
): Shape | undefined {
  const known = parameterSchema(parameter, scope, place);
  const documented =
    known === undefined || parameter.type === Array ? apiBodySchema(route, scope) : undefined;
  if (known === undefined && documented === undefined) {
    refuseMissingTypes(parameter, place);
    scope.warn(unknownType(parameter));
    return undefined;
  }
  const schema = layered(documented?.schema ?? {}, known?.schema ?? {});
  if (schema['type'] === 'array' && JSON.stringify(schema['items']) === '{}') {
    scope.warn(
      'the item type is not available at run time, so the published schema accepts any items. ' +
        'Declare the item type: new ParseArrayPipe({ items: Item }), @ApiBody({ type: [Item] }) ' +
        'or @Body({ schema })',
    );
  }
  return shapeOf(schema, known?.required ?? documented?.required ?? true, scope.definitions);
}

function namedParameter(
  parameter: RouteParameter,
  name: string,
  scope: SchemaScope,
  place: string,
): Field {
  const known = parameterSchema(parameter, scope, place);
  if (known === undefined) scope.warn(unknownType(parameter));
  return { name, schema: known?.schema ?? {}, required: known?.required ?? false };
}

/** Returns the schema of `@ApiBody`. Ignores its default type, String. */
function apiBodySchema(
  route: Route,
  scope: SchemaScope,
): { readonly schema: JsonSchema; readonly required: boolean } | undefined {
  const [options] = swaggerParametersOf(route.handler, 'body');
  if (options === undefined) return undefined;
  const { type, ...rest } = options;
  const says = type !== String || 'schema' in options;
  if (!says) return undefined;
  const told: SwaggerOptions = 'schema' in options && type === String ? rest : options;
  const dto = typeof type === 'function' && told['isArray'] !== true && 'type' in told;
  const schema = dto ? classSchemaOf(type as never, scope) : undefined;
  return {
    schema: schema ?? swaggerSchemaOf(told, scope, route.handler),
    required: options['required'] !== false,
  };
}
