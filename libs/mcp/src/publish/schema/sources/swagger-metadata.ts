import { isObject } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';

/**
 * The options of `@ApiProperty`, `@ApiParam`, `@ApiQuery` and `@ApiBody`. The format is internal to
 * the package `@nestjs/swagger`.
 */
export type SwaggerOptions = Readonly<Record<string, unknown>>;

/** Metadata keys of @nestjs/swagger. Copied here, because the package is optional. */
const PROPERTY = 'swagger/apiModelProperties';

const PROPERTY_NAMES = 'swagger/apiModelPropertiesArray';

const PARAMETERS = 'swagger/apiParameters';

const EXTRA_MODELS = 'swagger/apiExtraModels';

const RESPONSES = 'swagger/apiResponse';

const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

/**
 * Returns the documented properties of a class. Options of `@ApiProperty` override options of the
 * swagger CLI plugin.
 */
export function swaggerPropertiesOf(type: Type): ReadonlyMap<string, SwaggerOptions> {
  const prototype = type.prototype as object;
  const properties = new Map(pluginProperties(type));
  const names = Reflect.getMetadata(PROPERTY_NAMES, prototype) as readonly string[] | undefined;
  for (const name of (names ?? []).map((key) => key.replace(/^:/, ''))) {
    const options: unknown = Reflect.getMetadata(PROPERTY, prototype, name);
    if (isObject(options)) properties.set(name, { ...properties.get(name), ...options });
  }
  return properties;
}

function pluginProperties(type: Type): readonly (readonly [string, SwaggerOptions])[] {
  const parent = Object.getPrototypeOf(type) as Type | null;
  const inherited = parent?.prototype === undefined ? [] : pluginProperties(parent);
  if (!Object.hasOwn(type, PLUGIN_FACTORY)) return inherited;
  const factory = (type as unknown as Record<string, () => unknown>)[PLUGIN_FACTORY];
  const own = factory?.();
  if (!isObject(own)) return inherited;
  return [
    ...inherited,
    ...Object.entries(own).flatMap(([name, o]) => (isObject(o) ? [[name, o] as const] : [])),
  ];
}

/** Returns the options of `@ApiParam`, `@ApiQuery` or `@ApiBody` on a handler, in source order. */
export function swaggerParametersOf(
  handler: Function,
  place: 'path' | 'query' | 'body',
): readonly SwaggerOptions[] {
  const all = Reflect.getMetadata(PARAMETERS, handler) as readonly unknown[] | undefined;
  // Decorators run from bottom to top, so the last record is the first in the source.
  return (all ?? [])
    .filter(isObject)
    .filter((options) => options['in'] === place)
    .reverse();
}

/** The owner of `@ApiExtraModels`: a class, or a handler and its controller. */
export type ModelOwner = Function | readonly Function[];

/** Finds the class that `getSchemaPath(Cat)` refers to in the owner's `@ApiExtraModels`. */
export function extraModel(owner: ModelOwner, ref: string): Type | undefined {
  const models = [owner].flat().flatMap((one: Function) => {
    const own = Reflect.getMetadata(EXTRA_MODELS, one) as readonly Type[] | undefined;
    return own ?? [];
  });
  return models.find((model) => ref === `#/components/schemas/${model.name}`);
}

/**
 * Returns the documented responses of a route, by status. Responses of the handler override
 * responses of its controller.
 */
export function swaggerResponsesOf(route: {
  readonly controller: Function;
  readonly handler: Function;
}): Readonly<Record<string, SwaggerOptions>> {
  const [ofClass, own] = [route.controller, route.handler].map((target) => {
    const found: unknown = Reflect.getMetadata(RESPONSES, target);
    return isObject(found) ? found : {};
  });
  const all = Object.entries({ ...ofClass, ...own });
  return Object.fromEntries(
    all.filter((entry): entry is [string, SwaggerOptions] => isObject(entry[1])),
  );
}
