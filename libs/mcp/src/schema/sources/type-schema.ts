import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { classSchemaOf, isDescribed } from './class-schema.js';
import type { Definitions } from '../definitions.js';
import type { SchemaScope } from './schema-scope.js';
import { convertedSchema, zodDtoSchema } from './standard-json-schema.js';

/** Schemas of built-in types. Types without one clear JSON form accept any value. */
const BUILT_IN: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [BigInt, { type: 'integer' }],
  [Date, { type: 'string', format: 'date-time' }],
  [Array, { type: 'array', items: {} }],
  ...[Object, Map, Set, Symbol, Function, Promise, RegExp, Buffer, undefined, null].map(
    (type) => [type, {}] as const,
  ),
]);

/** Whether a type is built in and not a class of the application. */
export function isBuiltIn(type: unknown): boolean {
  return BUILT_IN.has(type);
}

/** Creates the scope for the schema of one parameter. Each warning is reported once. */
export function schemaScope(
  definitions: Definitions,
  nulls: SchemaScope['nulls'],
  place: string,
  report: (warning: string) => void,
): SchemaScope {
  const said = new Set<string>();
  const scope: SchemaScope = {
    definitions,
    nulls,
    warn(fact) {
      if (!said.has(fact)) report(`${place}: ${fact}.`);
      said.add(fact);
    },
    schemaOfType(type) {
      if (Array.isArray(type)) return { type: 'array', items: scope.schemaOfType(type[0]) };
      return BUILT_IN.get(type) ?? classReference(type as Type, place, scope);
    },
  };
  return scope;
}

function classReference(type: Type, place: string, scope: SchemaScope): JsonSchema {
  if (typeof type !== 'function') return {};
  const zod = zodDtoSchema(type);
  if (zod !== undefined) {
    return scope.definitions.refTo(type, () =>
      scope.definitions.adopt(convertedSchema(zod, 'input', place, scope.warn), type.name),
    );
  }
  if (!isDescribed(type)) {
    scope.warn(
      `the class ${type.name} carries no decorators, so any value is published for it; ` +
        'decorate its properties with class-validator or @ApiProperty',
    );
    return {};
  }
  return scope.definitions.refTo(type, () => classSchemaOf(type, scope) ?? {});
}
