import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { isStandardSchema, type StandardSchema } from '../../decorators/standard-schema.js';
import type { JsonSchema } from '../../decorators/tool.metadata.js';
import { enumValues, typeOfValues } from './enum-values.js';
import { isRecord } from '../json-schema.js';
import type { SchemaScope } from './schema-scope.js';
import { zodDtoSchema } from './zod-dto.js';

/** What the pipes of a parameter say about its value. */
export interface PipedValue {
  /** Undefined where no pipe says anything about the kind of value. */
  readonly schema: JsonSchema | undefined;
  /** Undefined where no pipe minds a missing value. */
  readonly required: boolean | undefined;
}

interface ParseOptions {
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly items?: unknown;
}

/**
 * Reads Nest's own parse pipes, given as class or as instance. The first decides the kind, for it
 * sees the value as the request carries it.
 */
export function pipedValue(pipes: readonly unknown[], scope: SchemaScope): PipedValue {
  const parsing = pipes.find((pipe) => kindOf(pipe, scope) !== undefined);
  const schema = kindOf(parsing, scope);
  const fallback = pipes.find((pipe) => pipe instanceof DefaultValuePipe);
  if (fallback !== undefined) {
    const value = (fallback as unknown as { defaultValue: unknown }).defaultValue;
    const published =
      ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
    return { schema: published ? { ...schema, default: value } : schema, required: false };
  }
  return { schema, required: parsing === undefined ? undefined : refusesAbsence(parsing) };
}

function refusesAbsence(pipe: unknown): boolean {
  const { optional, default: fallback } = optionsOf(pipe);
  return optional !== true && fallback === undefined;
}

function kindOf(pipe: unknown, scope: SchemaScope): JsonSchema | undefined {
  if (isPipe(pipe, ParseIntPipe)) return { type: 'integer' };
  if (isPipe(pipe, ParseFloatPipe)) return { type: 'number' };
  if (isPipe(pipe, ParseBoolPipe)) return { type: 'boolean' };
  if (isPipe(pipe, ParseUUIDPipe)) return { type: 'string', format: 'uuid' };
  if (isPipe(pipe, ParseDatePipe)) return { type: 'string', format: 'date-time' };
  if (isPipe(pipe, ParseArrayPipe)) {
    const { items } = optionsOf(pipe);
    return { type: 'array', items: items === undefined ? {} : scope.schemaOfType(items) };
  }
  if (!isPipe(pipe, ParseEnumPipe)) return undefined;
  const values = enumValues((pipe as { enumType?: unknown }).enumType);
  return values.length === 0 ? undefined : { ...typeOfValues(values), enum: values };
}

function isPipe(pipe: unknown, type: abstract new (...args: never[]) => unknown): boolean {
  return pipe === type || pipe instanceof type;
}

function optionsOf(pipe: unknown): ParseOptions {
  const options: unknown = isRecord(pipe) ? pipe['options'] : undefined;
  return isRecord(options) ? options : {};
}

/**
 * The Standard Schema a validation pipe holds: `new ZodValidationPipe(schema)` of nestjs-zod
 * (`schemaOrDto`) and of the pipe Nest's documentation shows (`schema`).
 */
export function pipedSchema(pipes: readonly unknown[]): StandardSchema | undefined {
  for (const pipe of pipes) {
    if (!isRecord(pipe)) continue;
    const held = pipe['schemaOrDto'] ?? pipe['schema'];
    const schema = typeof held === 'function' ? (zodDtoSchema(held) ?? held) : held;
    if (isStandardSchema(schema)) return schema;
  }
  return undefined;
}
