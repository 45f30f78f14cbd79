import { isObject } from '@fledge-internal/options';
import { type PathParameter, parameterLabel, type Route } from '../routes/route.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { withBigText } from './big-integers.js';
import type { Definitions } from './definitions.js';
import { layered, saysKind, without } from './json-schema.js';
import { type Field, objectSchema, shapeOf } from './shape.js';
import { parameterSchema } from './sources/parameter-schema.js';
import { swaggerParametersOf } from './sources/swagger-metadata.js';
import { swaggerSchemaOf } from './sources/swagger-schema.js';
import { schemaScope } from './sources/type-schema.js';
import { scalarValue } from './text-value.js';

const TEXT: JsonSchema = { type: 'string' };

/**
 * Returns all path parameters of a route, including parameters that no `@Param` reads, because the
 * URL needs them.
 */
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
      schema: withBigText(asSegment(schema, parameter, definitions)),
      required: !parameter.optional,
    };
  });
}

/** Returns the schemas of `@Param('id')` and `@Param() params: Dto`, by path parameter name. */
function declaredTypes(
  route: Route,
  definitions: Definitions,
  warn: (warning: string) => void,
): ReadonlyMap<string, JsonSchema> {
  const types = new Map<string, JsonSchema>();
  for (const parameter of route.parameters.filter(({ source }) => source === 'path')) {
    const place = parameterLabel(route, parameter);
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
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      if (!types.has(name) && isObject(schema)) types.set(name, schema);
    }
  }
  return types;
}

/**
 * Returns the schema of a path parameter. Scalars keep their type. All other types become a
 * non-empty string.
 */
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
