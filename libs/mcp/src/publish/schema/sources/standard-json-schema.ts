import { createRequire } from 'node:module';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../../decorators/author-schema.js';
import { ToolSchemaError } from '../../../mcp.errors.js';
import { BIG_INTEGER } from '../big-integers.js';
import { keptReadOnly, withRequiredKept } from '../marked-properties.js';

/**
 * The function of a Standard Schema that converts it (Standard JSON Schema specification, version
 * 1).
 */
interface JsonSchemaConverter {
  readonly input: (options: ConverterOptions) => JsonSchema;
  readonly output: (options: ConverterOptions) => JsonSchema;
}

interface ConverterOptions {
  readonly target: 'draft-2020-12';
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/** Advice for schemas without a converter, by library. */
const CURES: Readonly<Record<string, string>> = {
  zod: 'Use zod 4.2 or newer, imported from "zod" (not "zod/v3", not "zod/mini").',
  valibot: 'Install @valibot/to-json-schema 1.5 or newer.',
  arktype: 'Use arktype 2.1.28 or newer.',
};

/**
 * Options by library. With these options, a part that JSON Schema cannot express accepts any value.
 */
const LENIENT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zod: { unrepresentable: 'any', override: correctZod },
  valibot: { errorMode: 'ignore' },
  arktype: { fallback: ({ base }: { base: unknown }) => base },
};

/** Options for every conversion, by library. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zod: { override: correctZod },
};

interface ZodOverride {
  readonly zodSchema: {
    readonly _zod: { readonly def: { readonly type: string; readonly coerce?: boolean } };
    readonly meta?: () => Readonly<Record<string, unknown>> | undefined;
  };
  readonly jsonSchema: Record<string, unknown>;
}

/**
 * Corrects three conversions. zod writes `readOnly` for `.readonly()`, which only freezes the parsed
 * value and does not restrict requests. `z.coerce.bigint()` also accepts strings. `z.ipv6()` accepts
 * `::ffff:1.2.3.4`, which its pattern rejects.
 */
function correctZod({ zodSchema, jsonSchema }: ZodOverride): void {
  const { type, coerce } = zodSchema._zod.def;
  if (type === 'readonly' && zodSchema.meta?.()?.['readOnly'] !== true) {
    delete jsonSchema['readOnly'];
  }
  if (type === 'bigint' && coerce === true) Object.assign(jsonSchema, BIG_INTEGER);
  if (jsonSchema['format'] === 'ipv6') delete jsonSchema['pattern'];
}

/**
 * Converts a Standard Schema to JSON Schema: the values it accepts (`input`) or returns (`output`).
 * If JSON Schema cannot express a part, this part accepts any value, and `warn` is called.
 *
 * @throws {ToolSchemaError} if the schema cannot be converted at all
 */
export function convertedSchema(
  schema: StandardSchema,
  side: 'input' | 'output',
  place: string,
  warn: (fact: string) => void,
): JsonSchema {
  const { vendor } = schema['~standard'];
  const jsonSchema = converterOf(schema);
  if (jsonSchema === undefined) {
    throw new ToolSchemaError(
      place,
      `this ${vendor} schema cannot be converted to JSON Schema. ` +
        (CURES[vendor] ??
          `Use a version of ${vendor} that implements https://standardschema.dev/json-schema.`),
    );
  }
  const convert = (libraryOptions?: Readonly<Record<string, unknown>>): JsonSchema =>
    jsonSchema[side]({ target: 'draft-2020-12', ...(libraryOptions && { libraryOptions }) });
  const keep = (converted: JsonSchema): JsonSchema =>
    side === 'output' ? converted : withRequiredKept(converted, warnOfKept(warn));
  try {
    return keep(convert(OPTIONS[vendor]));
  } catch (refusal) {
    const lenient = LENIENT[vendor];
    const reason = refusal instanceof Error ? refusal.message.replace(/\.$/, '') : String(refusal);
    try {
      if (lenient === undefined) throw refusal;
      const converted = keep(convert(lenient));
      warn(
        `parts of the ${vendor} schema cannot be converted and accept any value. The first part: ${reason}`,
      );
      return converted;
    } catch {
      throw new ToolSchemaError(
        place,
        `this ${vendor} schema cannot be converted to JSON Schema: ${reason}.`,
      );
    }
  }
}

function warnOfKept(warn: (fact: string) => void): (name: string) => void {
  return (name) => warn(keptReadOnly(`"${name}"`));
}

const require = createRequire(import.meta.url);

/**
 * Returns the converter of a schema. Valibot's converter is in a separate package, an optional
 * peer.
 */
function converterOf(schema: StandardSchema): JsonSchemaConverter | undefined {
  const { jsonSchema, vendor } = schema['~standard'] as StandardSchema['~standard'] & {
    readonly jsonSchema?: JsonSchemaConverter;
  };
  if (jsonSchema !== undefined || vendor !== 'valibot') return jsonSchema;
  try {
    const valibot = require('@valibot/to-json-schema') as {
      toStandardJsonSchema(bare: StandardSchema): {
        readonly '~standard': { readonly jsonSchema: JsonSchemaConverter };
      };
    };
    return valibot.toStandardJsonSchema(schema)['~standard'].jsonSchema;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a Standard Schema accepts a missing value. Returns false if it validates
 * asynchronously.
 */
export function acceptsAbsence(schema: StandardSchema): boolean {
  try {
    const result = schema['~standard'].validate(undefined) as { issues?: unknown; then?: unknown };
    if (typeof result.then !== 'function') return result.issues === undefined;
    void Promise.resolve(result).catch(() => undefined);
  } catch {
    return false;
  }
  return false;
}

/**
 * Returns the zod schema of a nestjs-zod DTO class (`createZodDto`), or undefined for any other
 * class.
 */
export function zodDtoSchema(type: Function): StandardSchema | undefined {
  const { isZodDto, schema } = type as { isZodDto?: unknown; schema?: unknown };
  return isZodDto === true && isStandardSchema(schema) ? schema : undefined;
}

/**
 * Returns the side of a zod schema that describes responses. It is `input` for a nestjs-zod DTO
 * that encodes (`codec: true`), else `output`.
 */
export function answerSideOf(dto: object): 'input' | 'output' {
  return (dto as { codec?: unknown }).codec === true ? 'input' : 'output';
}
