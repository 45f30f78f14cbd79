import type { Type } from '@nestjs/common';
import {
  type Direction,
  exposedProperties,
  isExcluded,
  isTransformed,
  plainName,
  type TypeMetadata,
  typeMetadataOf,
} from './transformer-metadata.js';
import { type SwaggerOptions, swaggerPropertiesOf } from './swagger-metadata.js';

/** The decorator metadata of one property of a DTO class. */
export interface ClassProperty {
  /** Key in plain objects: `name` of `@Expose({ name })`, or else the property name. */
  readonly name: string;
  readonly owner: Type;
  readonly validators: readonly ValidatorMetadata[];
  readonly swagger: SwaggerOptions | undefined;
  readonly typed: TypeMetadata | undefined;
  /** True if `@Transform` changes the value in this direction. */
  readonly transformed: boolean;
  /** The type in `design:type`. Undefined if the compiler emitted none. */
  readonly designType: unknown;
  /**
   * The value in a new instance (`limit = 20`). If a request does not set the property, the route
   * receives this value.
   */
  readonly initial: unknown;
}

/**
 * Returns the properties of a DTO class that have a decorator. Other properties are unknown at run
 * time. Excluded properties are omitted, because plain objects of this direction do not contain
 * them.
 */
export function classPropertiesOf(type: Type, direction: Direction): readonly ClassProperty[] {
  const validators = byProperty(validatorsOf(type));
  const documented = swaggerPropertiesOf(type);
  const names = new Set([...validators.keys(), ...documented.keys(), ...exposedProperties(type)]);
  if (names.size === 0) return [];
  const initial = direction === 'in' ? initialValues(type) : new Map<string, unknown>();
  return [...names]
    .filter((name) => !isExcluded(type, name, direction))
    .map((name) => ({
      name: plainName(type, name, direction),
      owner: type,
      validators: validators.get(name) ?? [],
      swagger: documented.get(name),
      typed: typeMetadataOf(type, name),
      transformed: isTransformed(type, name, direction),
      designType: Reflect.getMetadata('design:type', type.prototype as object, name) as unknown,
      initial: initial.get(name),
    }));
}

function byProperty(
  all: readonly ValidatorMetadata[],
): ReadonlyMap<string, readonly ValidatorMetadata[]> {
  const groups = new Map<string, ValidatorMetadata[]>();
  for (const validator of all) {
    groups.set(validator.propertyName, [...(groups.get(validator.propertyName) ?? []), validator]);
  }
  return groups;
}

/**
 * Returns the initial values of the properties. They are read from a new instance, because
 * class-transformer creates one for every request. If the constructor throws without arguments,
 * returns an empty object.
 */
function initialValues(type: Type): ReadonlyMap<string, unknown> {
  try {
    const instance = new type() as object;
    return new Map(Object.entries(instance).filter(([, value]) => value !== undefined));
  } catch {
    return new Map();
  }
}

/** The metadata that class-validator records for one decorator on one property. */
export interface ValidatorMetadata {
  /** Kind of the record. `customValidation` for every validator with a function. */
  readonly type: string;
  /** `isString`, `minLength` ..., or the name of a custom validator. */
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly each?: boolean;
  readonly groups?: readonly string[];
  readonly always?: boolean;
  readonly validateIf?: Function;
}

interface MetadataStorage {
  getTargetValidationMetadatas(
    target: Function,
    schema: string,
    always: boolean,
    strictGroups: boolean,
  ): ValidatorMetadata[];
}

/**
 * Returns the validators of a class. class-validator resolves inheritance and overrides. This
 * package reads its storage from `globalThis`, because class-validator is an optional peer and must
 * not be imported.
 */
function validatorsOf(type: Type): readonly ValidatorMetadata[] {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage })
    .classValidatorMetadataStorage;
  return storage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}
