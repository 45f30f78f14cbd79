import type { Type } from '@nestjs/common';
import {
  exposedProperties,
  incomingName,
  isExcluded,
  isTransformed,
  type TypeMetadata,
  typeMetadataOf,
} from './transformer-metadata.js';
import { type SwaggerOptions, swaggerPropertiesOf } from './swagger-metadata.js';

/** Everything decorators said about one property of a DTO class. */
export interface ClassProperty {
  /** Key in the incoming object: the name of `@Expose({ name })`, else the property's own. */
  readonly name: string;
  readonly owner: Type;
  readonly validators: readonly ValidatorMetadata[];
  readonly swagger: SwaggerOptions | undefined;
  readonly typed: TypeMetadata | undefined;
  /** Whether `@Transform` changes the value before it is validated. */
  readonly transformed: boolean;
  /** `design:type`; undefined where the compiler emitted none. */
  readonly designType: unknown;
  /** What a fresh instance holds (`limit = 20`), which stands in for a missing value. */
  readonly initial: unknown;
}

/**
 * The properties of a DTO class that any decorator names. A property without a decorator leaves no
 * trace at run time, and an excluded one takes no value.
 */
export function classPropertiesOf(type: Type): readonly ClassProperty[] {
  const validators = byProperty(validatorsOf(type));
  const documented = swaggerPropertiesOf(type);
  const names = new Set([...validators.keys(), ...documented.keys(), ...exposedProperties(type)]);
  if (names.size === 0) return [];
  const initial = initialValues(type);
  return [...names]
    .filter((name) => !isExcluded(type, name))
    .map((name) => ({
      name: incomingName(type, name),
      owner: type,
      validators: validators.get(name) ?? [],
      swagger: documented.get(name),
      typed: typeMetadataOf(type, name),
      transformed: isTransformed(type, name),
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
 * Property initialisers, read from an instance as class-transformer makes one for every request. A
 * constructor that needs arguments tells nothing.
 */
function initialValues(type: Type): ReadonlyMap<string, unknown> {
  try {
    const instance = new type() as object;
    return new Map(Object.entries(instance).filter(([, value]) => value !== undefined));
  } catch {
    return new Map();
  }
}

/** What class-validator records for one decorator on one property. */
export interface ValidatorMetadata {
  /** Kind of the record: `customValidation` for every validator with a function behind it. */
  readonly type: string;
  /** `isString`, `minLength` ...; the name a custom validator gave itself. */
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
 * The validators of a class, inherited and overridden exactly as class-validator itself decides.
 * Its storage stands on `globalThis`, so that this package needs no import of an optional peer.
 */
function validatorsOf(type: Type): readonly ValidatorMetadata[] {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage })
    .classValidatorMetadataStorage;
  return storage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}
