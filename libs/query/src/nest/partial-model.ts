import type { Type } from '@nestjs/common';
import { onceFor } from '../config/once-for.js';

/**
 * The class of an item of which a client may ask for some members only: `PartialTask` for `Task`, with the same
 * properties, none of them required. Metadata is copied as `PartialType()` of @nestjs/swagger does, because that package
 * is optional.
 */
export const partialModelOf: (item: Type) => Type = onceFor((item: Type) => {
  const model = { [`Partial${item.name}`]: class {} }[`Partial${item.name}`] as Type;
  const [from, to] = [item.prototype as object, model.prototype as object];
  const names = (Reflect.getMetadata(NAMES, from) ?? []) as readonly string[];
  Reflect.defineMetadata(NAMES, [...names], to);
  for (const name of names.map((each) => each.slice(1))) {
    const documented = Reflect.getMetadata(PROPERTY, from, name) as object;
    Reflect.defineMetadata(PROPERTY, { ...documented, required: false }, to, name);
  }
  const compiled = pluginFactoriesOf(item);
  if (compiled.length > 0) {
    const factory = () => optionalProperties(compiled.map((propertiesOf) => propertiesOf()));
    Object.defineProperty(model, PLUGIN_FACTORY, { value: factory });
  }
  return model;
});

const NAMES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
/** Where the CLI plugin of @nestjs/swagger writes the properties of a class. */
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

type Properties = Readonly<Record<string, object>>;

/** The factories of a class and of those that it extends, the outermost first. */
function pluginFactoriesOf(item: Type): (() => Properties)[] {
  const factories: (() => Properties)[] = [];
  for (let own: object | null = item; own !== null; own = Object.getPrototypeOf(own) as object) {
    if (!Object.hasOwn(own, PLUGIN_FACTORY)) continue;
    factories.unshift(
      (own as Record<string, () => Properties>)[PLUGIN_FACTORY] as () => Properties,
    );
  }
  return factories;
}

function optionalProperties(classes: readonly Properties[]): Properties {
  const all = Object.assign({}, ...classes) as Properties;
  return Object.fromEntries(
    Object.entries(all).map(([name, options]) => [name, { ...options, required: false }]),
  );
}
