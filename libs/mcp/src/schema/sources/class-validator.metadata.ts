import type { Type } from '@nestjs/common';

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
export function validatorsOf(type: Type): readonly ValidatorMetadata[] {
  const storage = (globalThis as { classValidatorMetadataStorage?: MetadataStorage })
    .classValidatorMetadataStorage;
  return storage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}
