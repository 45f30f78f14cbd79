import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';

/** What `@Type` records. */
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

/** class-transformer's own number for "plain object to class". */
const PLAIN_TO_CLASS = 0;

const require = createRequire(import.meta.url);

let loaded: MetadataStorage | undefined;

/**
 * The storage of the class-transformer the application uses: Node gives its CommonJS copy to
 * `import` and `require` alike, and @nestjs/mapped-types reaches it on this path. It is an optional
 * peer, so its absence is no fault.
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

/** `@Type` of a property, inherited included. */
export function typeMetadataOf(type: Type, property: string): TypeMetadata | undefined {
  return storage()?.findTypeMetadata(type, property);
}

/** Whether a `@Transform` changes the incoming value before it is validated. */
export function isTransformed(type: Type, property: string): boolean {
  return (storage()?.findTransformMetadatas(type, property, PLAIN_TO_CLASS).length ?? 0) > 0;
}

/** The key a property is read from: the name given to `@Expose({ name })`. */
export function incomingName(type: Type, property: string): string {
  const options = storage()?.findExposeMetadata(type, property)?.options;
  return options?.toPlainOnly === true ? property : (options?.name ?? property);
}

/** Whether `@Exclude` keeps incoming values out of a property. */
export function isExcluded(type: Type, property: string): boolean {
  const excluded = storage()?.findExcludeMetadata(type, property);
  return excluded !== undefined && excluded.options?.toPlainOnly !== true;
}

/** Properties marked by `@Expose`, which may carry no other decorator. */
export function exposedProperties(type: Type): readonly string[] {
  const exposed = storage()?.getExposedMetadatas(type) ?? [];
  return exposed.flatMap((metadata) => metadata.propertyName ?? []);
}
