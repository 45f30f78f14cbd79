import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../../decorators/author-schema.js';

/**
 * Returns the values of an enumeration. The argument is a TypeScript enum, an array of values, or a
 * function that returns one of these. The reverse keys of numeric enum members are left out.
 */
export function enumValues(entity: unknown): readonly unknown[] {
  if (typeof entity === 'function') return enumValues((entity as () => unknown)());
  if (Array.isArray(entity)) return entity.filter(isJsonScalar);
  if (!isObject(entity)) return [];
  const isReverse = (key: string): boolean => {
    const name = entity[key];
    return (
      typeof name === 'string' && typeof entity[name] === 'number' && String(entity[name]) === key
    );
  };
  return Object.keys(entity)
    .filter((key) => !isReverse(key))
    .map((key) => entity[key])
    .filter(isJsonScalar);
}

/** Returns the `type` keyword for a list of values: one name, or an array if the types differ. */
export function typeOfValues(values: readonly unknown[]): JsonSchema {
  const types = [...new Set(values.map(typeName))];
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return { type: narrowed.length === 1 ? narrowed[0] : narrowed };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}
