import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { classSchemaOf, isDescribed } from './class-schema.js';
import { BIG_INTEGER } from '../big-integers.js';
import type { Definitions } from '../definitions.js';
import type { SchemaScope } from './schema-scope.js';
import { answerSideOf, convertedSchema, zodDtoSchema } from './standard-json-schema.js';

/** Schemas of built-in types. Types without a unique JSON form accept any value. */
const BUILT_IN: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [BigInt, BIG_INTEGER],
  [Date, { type: 'string', format: 'date-time' }],
  [Array, { type: 'array', items: {} }],
  ...[Object, Map, Set, Symbol, Function, Promise, RegExp, Buffer, undefined, null].map(
    (type) => [type, {}] as const,
  ),
]);

/** Returns true if a type is built in. Classes of the application are not built in. */
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
  return scopeOf({ definitions, nulls, direction: 'in' }, place, report);
}

/**
 * Creates the scope for the response schema of one route. Parts that cannot be read accept any
 * value.
 */
export function answerScope(definitions: Definitions, place: string): SchemaScope {
  return scopeOf({ definitions, nulls: 'carried', direction: 'out' }, place, () => undefined);
}

function scopeOf(
  known: Pick<SchemaScope, 'definitions' | 'nulls' | 'direction'>,
  place: string,
  report: (warning: string) => void,
): SchemaScope {
  const said = new Set<string>();
  const scope: SchemaScope = {
    ...known,
    warn(fact) {
      if (!said.has(fact)) report(`${place}: ${fact}.`);
      said.add(fact);
    },
    schemaOfType(type) {
      if (Array.isArray(type)) return { type: 'array', items: scope.schemaOfType(type[0]) };
      // JSON has no bigint, so the application sends a string or a number instead.
      if (type === BigInt && known.direction === 'out') return {};
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
      scope.definitions.adopt(
        convertedSchema(
          zod,
          scope.direction === 'in' ? 'input' : answerSideOf(type),
          place,
          scope.warn,
        ),
        type.name,
      ),
    );
  }
  if (!isDescribed(type, scope.direction)) {
    scope.warn(
      `the class ${type.name} has no decorators, so the published schema accepts any value. ` +
        'Decorate the properties of the class with class-validator or @ApiProperty',
    );
    return {};
  }
  return scope.definitions.refTo(type, () => classSchemaOf(type, scope) ?? {});
}
