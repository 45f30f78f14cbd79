import { isObject } from '@fledge-internal/options';
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
import type { RouteParameter } from '../../routes/route.js';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../../decorators/author-schema.js';
import { ParameterTypesError } from '../../../mcp.errors.js';
import { classSchemaOf, isDescribed } from './class-schema.js';
import { saysKind } from '../json-schema.js';
import type { SchemaScope } from './schema-scope.js';
import { acceptsAbsence, convertedSchema, zodDtoSchema } from './standard-json-schema.js';
import { isBuiltIn } from './type-schema.js';
import { enumValues, typeOfValues } from './enum-values.js';

/** The schema of one parameter's value. */
export interface ParameterSchema {
  readonly schema: JsonSchema;
  /** Undefined if no source defines whether the value is required. */
  readonly required: boolean | undefined;
}

/**
 * Returns the schema of a parameter from the first source that defines one: a Standard Schema, a
 * nestjs-zod DTO, Nest's parse pipes, a decorated class, the compiler's type. Returns undefined if
 * the type was erased to Object, if it was not emitted, or if it is a class without decorators.
 */
export function parameterSchema(
  parameter: RouteParameter,
  scope: SchemaScope,
  place: string,
): ParameterSchema | undefined {
  const { type } = parameter;
  const standard =
    parameter.schema ??
    pipedSchema(parameter.pipes) ??
    (type === undefined ? undefined : zodDtoSchema(type));
  if (standard !== undefined) {
    const converted = convertedSchema(standard, 'input', place, scope.warn);
    const name = type === undefined || isBuiltIn(type) ? 'Body' : type.name;
    return {
      schema: scope.definitions.adopt(converted, name),
      required: !acceptsAbsence(standard),
    };
  }
  const piped = pipedValue(parameter.pipes, scope);
  if (piped.schema !== undefined && saysKind(piped.schema))
    return { schema: piped.schema, required: piped.required };
  if (type === undefined || type === Object) return undefined;
  if (!isBuiltIn(type) && !isDescribed(type, 'in')) return undefined;
  const schema = parameter.name === undefined ? classSchemaOf(type, scope) : undefined;
  return {
    schema: { ...(schema ?? scope.schemaOfType(type)), ...piped.schema },
    required: piped.required,
  };
}

/**
 * Rejects a complete `@Body()` or `@Query()` without an emitted type. A ValidationPipe would
 * validate nothing.
 * @throws ParameterTypesError
 */
export function refuseMissingTypes({ source, type }: RouteParameter, place: string): void {
  if (type === undefined)
    throw new ParameterTypesError(place, source === 'query' ? 'Query' : 'Body');
}

/**
 * Explains why the schema of a parameter is unknown, and how to define it.
 * @param published the part of the sentence about the schema that is published instead
 */
export function unknownType(
  parameter: RouteParameter,
  published = 'the published schema accepts any value',
): string {
  const { type } = parameter;
  const fact =
    type === undefined
      ? 'the compiler emitted no type for this parameter (see emitDecoratorMetadata)'
      : type === Object
        ? 'the type of this parameter is unknown at run time (an interface, a union or any)'
        : `the class ${type.name} has no decorators`;
  const source =
    parameter.source === 'path' ? 'Param' : parameter.source === 'query' ? 'Query' : 'Body';
  return (
    `${fact}, so ${published}. Use a class with decorators of class-validator or @ApiProperty, ` +
    `pass a schema with @${source}({ schema }), or set inputSchema in @McpTool`
  );
}

/** The schema and presence rule that the pipes of a parameter define. */
interface PipedValue {
  /** Undefined if no pipe defines the kind of value. */
  readonly schema: JsonSchema | undefined;
  /** Undefined if no pipe accepts or rejects a missing value. */
  readonly required: boolean | undefined;
}

interface ParseOptions {
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly items?: unknown;
  readonly separator?: unknown;
}

/**
 * Reads Nest's parse pipes. A pipe is a class or an instance. The first pipe defines the kind of
 * value, because it receives the value of the request.
 */
function pipedValue(pipes: readonly unknown[], scope: SchemaScope): PipedValue {
  const parsing = pipes.find((pipe) => kindOf(pipe, scope) !== undefined);
  const schema = kindOf(parsing, scope);
  const fallback = pipes.find((pipe) => pipe instanceof DefaultValuePipe);
  // If a pipe rejects a missing value, a default in a later pipe is never used.
  const isReached =
    parsing === undefined ||
    pipes.indexOf(fallback) < pipes.indexOf(parsing) ||
    !refusesAbsence(parsing);
  if (fallback !== undefined && isReached) {
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

/**
 * Returns the separator at which a pipe splits a query string value. Returns undefined if no pipe
 * splits values. A pipe also splits the item of a list with one item.
 */
export function separatorOf(pipes: readonly unknown[]): string | undefined {
  const parsing = pipes.find((pipe) => isPipe(pipe, ParseArrayPipe));
  if (parsing === undefined) return undefined;
  const { separator } = optionsOf(parsing);
  return typeof separator === 'string' && separator !== '' ? separator : ',';
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
  const options: unknown = isObject(pipe) ? pipe['options'] : undefined;
  return isObject(options) ? options : {};
}

/**
 * Returns the Standard Schema of a validation pipe: `new ZodValidationPipe(schema)` of nestjs-zod
 * (`schemaOrDto`), or the example pipe of Nest's documentation (`schema`).
 */
function pipedSchema(pipes: readonly unknown[]): StandardSchema | undefined {
  for (const pipe of pipes) {
    if (!isObject(pipe)) continue;
    const held = pipe['schemaOrDto'] ?? pipe['schema'];
    const schema = typeof held === 'function' ? (zodDtoSchema(held) ?? held) : held;
    if (isStandardSchema(schema)) return schema;
  }
  return undefined;
}
