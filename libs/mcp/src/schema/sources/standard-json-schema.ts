import { createRequire } from 'node:module';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../../decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';

/** The part of a Standard Schema that follows the Standard JSON Schema specification, version 1. */
interface JsonSchemaConverter {
  readonly input: (options: ConverterOptions) => JsonSchema;
  readonly output: (options: ConverterOptions) => JsonSchema;
}

interface ConverterOptions {
  readonly target: 'draft-2020-12';
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/** What gives a library's schemas the converter they lack. */
const CURES: Readonly<Record<string, string>> = {
  zod: 'Schemas of zod 4.2 or newer convert, imported from "zod" (not "zod/v3", not "zod/mini").',
  valibot: 'Install @valibot/to-json-schema, 1.5 or newer: it is used where it is found.',
  arktype: 'Schemas of arktype 2.1.28 or newer convert.',
};

/** How each library is told to publish what JSON Schema cannot express as "any value". */
const LENIENT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zod: { unrepresentable: 'any' },
  valibot: { errorMode: 'ignore' },
  arktype: { fallback: ({ base }: { base: unknown }) => base },
};

/**
 * The JSON Schema of a Standard Schema: what it takes (`input`) or what it gives (`output`). A part
 * JSON Schema cannot express takes any value, which is warned about.
 *
 * @throws {ToolSchemaError} the schema cannot be converted at all
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
  try {
    return convert();
  } catch (refusal) {
    const lenient = LENIENT[vendor];
    const reason = refusal instanceof Error ? refusal.message.replace(/\.$/, '') : String(refusal);
    try {
      if (lenient === undefined) throw refusal;
      const converted = convert(lenient);
      warn(
        `a part of the ${vendor} schema takes any value, because JSON Schema cannot express it: ${reason}`,
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

const require = createRequire(import.meta.url);

/** The schema's own converter. Valibot keeps its in a package apart, an optional peer of this one. */
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

/** Whether a Standard Schema takes a missing value; a schema that can only tell later does not. */
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

/** The zod schema behind a DTO class of nestjs-zod (`createZodDto`); undefined for any other class. */
export function zodDtoSchema(type: Function): StandardSchema | undefined {
  const { isZodDto, schema } = type as { isZodDto?: unknown; schema?: unknown };
  return isZodDto === true && isStandardSchema(schema) ? schema : undefined;
}
