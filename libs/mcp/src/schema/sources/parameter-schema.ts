import type { RouteParameter } from '../../discovery/route.js';
import type { JsonSchema } from '../../decorators/tool.metadata.js';
import { ParameterTypesError } from '../../mcp.errors.js';
import { classSchemaOf, isDescribed } from './class-schema.js';
import { saysKind } from '../json-schema.js';
import { pipedSchema, pipedValue } from './pipe-schema.js';
import type { SchemaScope } from './schema-scope.js';
import { acceptsAbsence, convertedSchema } from './standard-json-schema.js';
import { isBuiltIn } from './type-schema.js';
import { zodDtoSchema } from './zod-dto.js';

/** The schema of one parameter's value. */
export interface ParameterSchema {
  readonly schema: JsonSchema;
  /** Undefined where no source minds a missing value. */
  readonly required: boolean | undefined;
}

/**
 * What a parameter takes, from the first source that knows: a Standard Schema, a nestjs-zod DTO,
 * Nest's parse pipes, a decorated class, the compiler's type. Undefined where none does: the type
 * was erased to Object, was never emitted, or is a class without decorators.
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
  if (!isBuiltIn(type) && !isDescribed(type)) return undefined;
  const schema = parameter.name === undefined ? classSchemaOf(type, scope) : undefined;
  return {
    schema: { ...(schema ?? scope.schemaOfType(type)), ...piped.schema },
    required: piped.required,
  };
}

/**
 * Call it where a whole `@Body()` or `@Query()` is unknown: without emitted types, a ValidationPipe checks
 * nothing either.
 * @throws ParameterTypesError
 */
export function refuseMissingTypes({ source, type }: RouteParameter, place: string): void {
  if (type === undefined)
    throw new ParameterTypesError(place, source === 'query' ? 'Query' : 'Body');
}

/**
 * Why nothing is known of a parameter, and what would help.
 * @param published what is published for it instead
 */
export function unknownType(
  parameter: RouteParameter,
  published = 'any value is published',
): string {
  const { type } = parameter;
  const fact =
    type === undefined
      ? 'the compiler emitted no type for it (emitDecoratorMetadata)'
      : type === Object
        ? 'its type is erased at run time (an interface, a union or any)'
        : `the class ${type.name} carries no decorators`;
  const source =
    parameter.source === 'path' ? 'Param' : parameter.source === 'query' ? 'Query' : 'Body';
  return (
    `${fact}, so ${published}. Give it a class decorated with class-validator or @ApiProperty, ` +
    `a schema: @${source}({ schema }), or an inputSchema in @McpTool`
  );
}
