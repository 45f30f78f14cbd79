import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';

/** The metadata of `@Type`. */
export interface TypeMetadata {
  readonly propertyName: string;
  readonly typeFunction?: (options?: unknown) => unknown;
  readonly options?: {
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: Type }[];
    };
  };
}

interface Directed {
  readonly propertyName?: string;
  readonly options?: {
    readonly toPlainOnly?: boolean;
    readonly toClassOnly?: boolean;
    readonly name?: string;
  };
}

interface MetadataStorage {
  findTypeMetadata(target: Function, property: string): TypeMetadata | undefined;
  findExposeMetadata(target: Function, property: string): Directed | undefined;
  findExcludeMetadata(target: Function, property: string): Directed | undefined;
  findTransformMetadatas(
    target: Function,
    property: string,
    direction: number,
  ): readonly Directed[];
  getExposedMetadatas(target: Function): readonly Directed[];
}

/**
 * Direction of a conversion. `in`: from a request to the route. `out`: from the route to the
 * caller.
 */
export type Direction = 'in' | 'out';

/** `TransformationType.PLAIN_TO_CLASS` and `CLASS_TO_PLAIN` of class-transformer. */
const TRANSFORMATION: Readonly<Record<Direction, number>> = { in: 0, out: 1 };

/** By direction, the option that limits a decorator to the opposite direction. */
const ONLY_OTHER_WAY = { in: 'toPlainOnly', out: 'toClassOnly' } as const;

const require = createRequire(import.meta.url);

let loaded: MetadataStorage | undefined;

/**
 * Returns the metadata storage of the application's class-transformer. Node loads the same CommonJS
 * copy for `import` and `require`. @nestjs/mapped-types loads the same path. Returns undefined if
 * the package, an optional peer, is not installed.
 */
function storage(): MetadataStorage | undefined {
  try {
    loaded ??= (
      require('class-transformer/cjs/storage') as { defaultMetadataStorage: MetadataStorage }
    ).defaultMetadataStorage;
  } catch {
    return undefined;
  }
  return loaded;
}

/** Returns the `@Type` metadata of a property, own or inherited. */
export function typeMetadataOf(type: Type, property: string): TypeMetadata | undefined {
  return storage()?.findTypeMetadata(type, property);
}

/**
 * Returns true if a `@Transform` changes the value. In the direction `in`, the value is changed
 * before validation.
 */
export function isTransformed(type: Type, property: string, direction: Direction): boolean {
  const found = storage()?.findTransformMetadatas(type, property, TRANSFORMATION[direction]);
  return found !== undefined && found.length > 0;
}

/**
 * Returns the key of a property in plain objects: the name in `@Expose({ name })`, or else the
 * property name.
 */
export function plainName(type: Type, property: string, direction: Direction): string {
  const options = storage()?.findExposeMetadata(type, property)?.options;
  return options?.[ONLY_OTHER_WAY[direction]] === true ? property : (options?.name ?? property);
}

/** Returns true if `@Exclude` removes a property in this direction. */
export function isExcluded(type: Type, property: string, direction: Direction): boolean {
  const excluded = storage()?.findExcludeMetadata(type, property);
  return excluded !== undefined && excluded.options?.[ONLY_OTHER_WAY[direction]] !== true;
}

/** Returns the properties with `@Expose`, including properties without other decorators. */
export function exposedProperties(type: Type): readonly string[] {
  const exposed = storage()?.getExposedMetadatas(type) ?? [];
  return exposed.flatMap((metadata) => metadata.propertyName ?? []);
}
