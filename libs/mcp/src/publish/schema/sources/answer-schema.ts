import { isObject } from '@fledge-internal/options';
import { isStandardSchema, type JsonSchema } from '../../decorators/author-schema.js';
import type { Route } from '../../routes/route.js';
import { Definitions } from '../definitions.js';
import { looseSchema } from '../loose-schema.js';
import { answerSideOf, convertedSchema, zodDtoSchema } from './standard-json-schema.js';
import { swaggerResponsesOf, type SwaggerOptions } from './swagger-metadata.js';
import { swaggerSchemaOf } from './swagger-schema.js';
import { answerScope } from './type-schema.js';

/**
 * Reads one kind of response declaration, as a loose schema document. Returns undefined if the
 * route has no such declaration.
 * @throws ToolSchemaError if a Standard Schema cannot be converted
 */
export type AnswerSource = (route: Route) => JsonSchema | undefined;

/** Metadata key of `@SerializeOptions`. */
const SERIALIZER = 'class_serializer:options';

/**
 * Reads the schema of `@SerializeOptions({ schema })` (Nest 12). If the route returns a list, Nest
 * applies the schema to each item. The documented response shows if the route returns a list.
 * Without documentation, the return type is used, unless it is a promise.
 */
export const serializerSchema: AnswerSource = (route) => {
  const [own, ofClass] = declarations(route, SERIALIZER).map((options) =>
    isObject(options) ? options['schema'] : undefined,
  );
  const schema = own ?? ofClass;
  if (!isStandardSchema(schema)) return undefined;
  return converted(schema, 'output', route, (item) => {
    const isList = answersList(route);
    if (isList === undefined) return { anyOf: [item, listOf(item)] };
    return isList ? listOf(item) : item;
  });
};

function answersList(route: Route): boolean | undefined {
  const documented = documentedResponse(route);
  if (documented !== undefined) return documented['isArray'] === true;
  const { controller, methodName } = route;
  const prototype = controller.prototype as object;
  const type: unknown = Reflect.getMetadata('design:returntype', prototype, methodName);
  if (type === Array) return true;
  return typeof type !== 'function' || type === Object || type === Promise ? undefined : false;
}

/** Metadata key of `@ZodSerializerDto` and `@ZodResponse` of nestjs-zod. */
const ZOD_SERIALIZER = 'ZOD_SERIALIZER_DTO_OPTIONS';

/** Reads the DTO or zod schema of the nestjs-zod serializer, or a list of it. */
export const zodSerializerSchema: AnswerSource = (route) => {
  const [own, ofClass] = declarations(route, ZOD_SERIALIZER);
  const given = own ?? ofClass;
  const dto: unknown = Array.isArray(given) ? given[0] : given;
  const schema = typeof dto === 'function' ? zodDtoSchema(dto) : dto;
  if (!isStandardSchema(schema)) return undefined;
  return converted(schema, answerSideOf(dto as object), route, (item) =>
    Array.isArray(given) ? listOf(item) : item,
  );
};

/** Reads the response that @nestjs/swagger documents. */
export const swaggerSchema: AnswerSource = (route) => {
  const response = documentedResponse(route);
  if (response === undefined) return undefined;
  const { standardSchema, isArray, type, nullable } = response;
  if (isStandardSchema(standardSchema)) {
    return converted(standardSchema, 'output', route, (item) =>
      isArray === true ? listOf(item) : item,
    );
  }
  const definitions = new Definitions();
  const scope = answerScope(definitions, route.label);
  const declared = { type, isArray, nullable, schema: openApiSchemaOf(response) };
  const schema = swaggerSchemaOf(declared, scope, [route.handler, route.controller]);
  return looseSchema({ ...schema, $defs: definitions.neededBy(schema) }, 'dropped');
};

/**
 * Returns the first documented response with a body: 200, 201, 202, then other successful statuses.
 */
function documentedResponse(route: Route): SwaggerOptions | undefined {
  const responses = swaggerResponsesOf(route);
  const successful = Object.keys(responses).filter((status) => /^2\d\d$/.test(status));
  const found = successful.sort().find((status) => hasBody(responses[status] as SwaggerOptions));
  return found === undefined ? undefined : responses[found];
}

function hasBody(response: SwaggerOptions): boolean {
  const { type, standardSchema } = response;
  return (type ?? standardSchema ?? openApiSchemaOf(response)) !== undefined;
}

/** Returns the OpenAPI schema of a response, or of its JSON content. */
function openApiSchemaOf({ schema, content }: SwaggerOptions): unknown {
  const json = isObject(content) ? content['application/json'] : undefined;
  return schema ?? (isObject(json) ? json['schema'] : undefined);
}

/** Returns the values that a decorator recorded on the handler and on its controller. */
function declarations({ handler, controller }: Route, key: string): readonly unknown[] {
  return [handler, controller].map((target): unknown => Reflect.getMetadata(key, target));
}

function converted(
  schema: Parameters<typeof convertedSchema>[0],
  side: 'input' | 'output',
  { label }: Route,
  arranged: (item: JsonSchema) => JsonSchema,
): JsonSchema {
  const definitions = new Definitions();
  const document = convertedSchema(schema, side, `Response of ${label}`, () => undefined);
  const whole = arranged(definitions.adopt(document, 'Answer'));
  return looseSchema({ ...whole, $defs: definitions.neededBy(whole) }, 'kept');
}

function listOf(item: JsonSchema): JsonSchema {
  return { type: 'array', items: item };
}
