/** A JSON Schema document, dialect 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A schema of any library that implements the Standard Schema specification, version 1
 * (https://standardschema.dev). Examples are zod, valibot and ArkType.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard.version === 1;
}
