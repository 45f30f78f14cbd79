import type { PathParameter, Route } from '../discovery/route.js';
import type { JsonSchema } from '../decorators/tool.metadata.js';
import type { Definitions } from './definitions.js';
import { isRecord, saysKind, without } from './json-schema.js';
import { layered } from './layered-schema.js';
import { parameterSchema } from './sources/parameter-schema.js';
import { placeOf } from './route-place.js';
import { objectSchema, shapeOf } from './shape.js';
import type { Field } from './shape.js';
import { swaggerSchemaOf } from './sources/swagger-schema.js';
import { swaggerParametersOf } from './sources/swagger.metadata.js';
import { scalarValue } from './text-value.js';
import { schemaScope } from './sources/type-schema.js';

const TEXT: JsonSchema = { type: 'string' };

/** The parameters of a route's path, all of them: one that no `@Param` reads still fills the path. */
export function pathFields(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): readonly Field[] {
  const declared = declaredTypes(route, definitions, warn);
  const scope = schemaScope(definitions, 'omitted', route.label, warn);
  const documented = swaggerParametersOf(route.handler, 'path');
  return route.pathParameters.map((parameter) => {
    const options = documented.find(({ name }) => name === parameter.name);
    const described = options === undefined ? {} : swaggerSchemaOf(options, scope, route.handler);
    const schema = layered(described, declared.get(parameter.name) ?? {});
    return {
      name: parameter.name,
      schema: asSegment(schema, parameter, definitions),
      required: !parameter.optional,
    };
  });
}

/** What `@Param('id')` and `@Param() params: Dto` say, by name of the path parameter. */
function declaredTypes(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): ReadonlyMap<string, JsonSchema> {
  const types = new Map<string, JsonSchema>();
  for (const parameter of route.parameters.filter(({ source }) => source === 'path')) {
    const place = placeOf(route, parameter);
    const known = parameterSchema(
      parameter,
      schemaScope(definitions, 'omitted', place, warn),
      place,
    );
    if (known === undefined) continue;
    if (parameter.name !== undefined) {
      types.set(parameter.name, known.schema);
      continue;
    }
    const shape = shapeOf(known.schema, true, definitions);
    const properties =
      shape.kind === 'fields' ? objectSchema(shape.fields)['properties'] : undefined;
    for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
      if (!types.has(name) && isRecord(schema)) types.set(name, schema);
    }
  }
  return types;
}

/** A path carries text: scalars keep their type, anything else is a string that is not empty. */
function asSegment(
  schema: JsonSchema,
  parameter: PathParameter,
  definitions: Definitions,
): JsonSchema {
  const scalar =
    parameter.kind === 'segment' && saysKind(schema)
      ? scalarValue(schema, (ref) => definitions.resolve(ref))
      : undefined;
  const text = scalar ?? {
    ...without(schema, 'items', '$ref', 'anyOf', 'oneOf', 'allOf'),
    ...TEXT,
  };
  const narrowed = ['minLength', 'enum', 'const', 'format', 'pattern'].some(
    (keyword) => keyword in text,
  );
  return text['type'] === 'string' && !narrowed ? { ...text, minLength: 1 } : text;
}
