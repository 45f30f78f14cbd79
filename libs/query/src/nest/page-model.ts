import type { Type } from '@nestjs/common';
import { cacheByObject } from '../config/cache-by-object.js';

/**
 * The way in which a list counts its rows. The default is `exact`. The other values are the kinds
 * of `Total`.
 */
export type PageTotal = 'exact' | 'none' | 'capped' | 'estimated';

/** The kind of page. It determines the properties of `meta`: page number and total, or cursors. */
export type PageKind = PageTotal | 'cursors';

/** Suffixes of the component names in an OpenAPI document. */
const ENDING: Readonly<Record<PageKind, string>> = {
  exact: '',
  none: 'WithoutTotal',
  capped: 'WithCappedTotal',
  estimated: 'WithEstimatedTotal',
  cursors: 'ByCursor',
};

/**
 * Returns the class that documents a page of items for @nestjs/swagger: `TaskPage` for `Task`. Each
 * item and kind of page has one class. This function writes the metadata itself, because
 * @nestjs/swagger is optional.
 */
export function pageModelOf(item: Type, kind: PageKind): Type {
  return known(modelsOf(item), kind, () =>
    modelOf(`${item.name}Page${ENDING[kind]}`, {
      data: { type: item, isArray: true, description: 'The items of this page.' },
      meta: {
        type: known(metaModels, kind, () => metaModelOf(kind)),
        description: 'The position of this page in the list.',
      },
    }),
  );
}

const modelsOf = cacheByObject((_item: Type) => new Map<PageKind, Type>());
const metaModels = new Map<PageKind, Type>();

function known(models: Map<PageKind, Type>, kind: PageKind, create: () => Type): Type {
  const model = models.get(kind) ?? create();
  models.set(kind, model);
  return model;
}

function metaModelOf(kind: PageKind): Type {
  return modelOf(`PageMeta${ENDING[kind]}`, {
    ...(kind !== 'cursors' && {
      page: { type: 'integer', minimum: 1, description: 'Number of this page.' },
    }),
    limit: { type: 'integer', minimum: 1, description: 'Maximum number of items on a page.' },
    ...(kind !== 'none' && kind !== 'cursors' && COUNTS),
    ...(kind === 'capped' && {
      totalIsLowerBound: {
        type: Boolean,
        description: 'True if there are more items than `total`.',
      },
    }),
    ...(kind === 'estimated' && {
      totalIsEstimate: { type: Boolean, description: 'True if `total` is an estimate.' },
    }),
    hasNext: { type: Boolean, description: 'True if there is a next page.' },
    hasPrev: { type: Boolean, description: 'True if there is a previous page.' },
    ...(kind === 'cursors' && {
      nextCursor: {
        type: String,
        nullable: true,
        description: 'Value of `after` for the next page. Null on the last page.',
      },
      prevCursor: {
        type: String,
        nullable: true,
        description: 'Value of `before` for the previous page. Null on the first page.',
      },
    }),
  });
}

const COUNTS = {
  total: { type: 'integer', minimum: 0, description: 'Number of items on all pages.' },
  totalPages: {
    type: 'integer',
    minimum: 0,
    description: 'Number of pages. 0 if there are no items.',
  },
};

/** A class with the metadata that `@ApiProperty` would write. */
export function modelOf(name: string, properties: Readonly<Record<string, object>>): Type {
  const model = { [name]: class {} }[name] as Type;
  const prototype = model.prototype as object;
  const names = Object.keys(properties).map((property) => `:${property}`);
  Reflect.defineMetadata(NAMES, names, prototype);
  for (const [property, options] of Object.entries(properties)) {
    const documented = { required: true, isArray: false, ...options };
    Reflect.defineMetadata(PROPERTY, documented, prototype, property);
  }
  return model;
}

/** Documents the response of a handler, like `@ApiResponse({ status: 200, type, description })`. */
export function recordResponse(handler: unknown, type: Type, description: string): void {
  const responses = (Reflect.getMetadata(RESPONSES, handler as object) ?? {}) as object;
  const response = { type, isArray: false, description };
  Reflect.defineMetadata(RESPONSES, { ...responses, 200: response }, handler as object);
}

/**
 * Returns a class for lists whose clients may request only some fields: `PartialTask` for `Task`.
 * The class has the same properties as the item, but none is required. This function copies
 * metadata like `PartialType()` of @nestjs/swagger, because that package is optional.
 */
export const partialModelOf: (item: Type) => Type = cacheByObject((item: Type) => {
  const from = item.prototype as object;
  const names = (Reflect.getMetadata(NAMES, from) ?? []) as readonly string[];
  const documented = names.map((each): [string, object] => {
    const property = Reflect.getMetadata(PROPERTY, from, each.slice(1)) as object;
    return [each.slice(1), { ...property, required: false }];
  });
  const model = modelOf(`Partial${item.name}`, Object.fromEntries(documented));
  const compiled = pluginFactoriesOf(item);
  if (compiled.length > 0) {
    const factory = () => optionalProperties(compiled.map((propertiesOf) => propertiesOf()));
    Object.defineProperty(model, PLUGIN_FACTORY, { value: factory });
  }
  return model;
});

// Metadata keys of @nestjs/swagger. Copied, because the package is optional.
const NAMES = 'swagger/apiModelPropertiesArray';
const PROPERTY = 'swagger/apiModelProperties';
const RESPONSES = 'swagger/apiResponse';
/** The CLI plugin of @nestjs/swagger stores the properties of a class in this property. */
const PLUGIN_FACTORY = '_OPENAPI_METADATA_FACTORY';

type Properties = Readonly<Record<string, object>>;

/** Starts with the outermost base class. */
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
