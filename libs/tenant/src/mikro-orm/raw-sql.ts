import { RawQueryFragment } from '@mikro-orm/core';
import { TenantUnguardedError } from '../tenant.errors.js';
import type { Row } from './sql-internals.js';

/** Finds a table with rows of tenants in a text of SQL. */
export interface NamedTables {
  namedIn(sql: string): string | undefined;
}

/** Queries of Knex that a guarded QueryBuilder made: they have the condition. */
const made = new WeakSet();

export function markMade<Q extends object>(query: Q): Q {
  made.add(query);
  return query;
}

/** `raw()`, as a value or as the key of an object. */
export function isRaw(value: unknown): boolean {
  return fragmentOf(value) !== undefined || isKnex(value);
}

/** @throws TenantUnguardedError if a text of SQL names a table with rows of tenants */
export function checkSql(sql: string, tables: NamedTables): void {
  const named = tables.namedIn(sql);
  if (named === undefined) return;
  throw new TenantUnguardedError(
    `Raw SQL that names ${named}`,
    'the guard does not read SQL',
    'Use the entity manager or its query builder, or em.getConnection() and filter by the tenant yourself',
  );
}

/**
 * Checks the SQL inside conditions, fields and orders.
 * @throws TenantUnguardedError
 */
export function checkRawIn(value: unknown, tables: NamedTables): void {
  const fragment = fragmentOf(value);
  if (fragment) {
    checkSql(fragment.sql, tables);
    // `??` is replaced by names. Other parameters are values.
    const names = fragment.sql.includes('??');
    for (const param of fragment.params) {
      if (typeof param !== 'string') checkRawIn(param, tables);
      else if (names) checkSql(param.replace(/^\w+\.(?=\w+$)/, ''), tables);
    }
    return;
  }
  if (isKnex(value)) {
    if (!made.has(value)) checkSql(value.toString(), tables);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) checkRawIn(one, tables);
  } else if (isPlain(value)) {
    for (const [key, one] of Object.entries(value)) {
      checkRawIn(key, tables);
      checkRawIn(one, tables);
    }
  }
}

/** A condition whose raw SQL stands in parentheses: it may contain OR. */
export function withParentheses(condition: Row): Row {
  return parenthesized(condition) as Row;
}

function parenthesized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parenthesized);
  const fragment = fragmentOf(value);
  if (fragment) {
    // Each is used once: MikroORM frees it then.
    if (typeof value === 'string') RawQueryFragment.remove(value);
    return new RawQueryFragment(`(${fragment.sql})`, [...fragment.params]);
  }
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      fragmentOf(key) ? String(parenthesized(key)) : key,
      parenthesized(one),
    ]),
  );
}

interface Knex {
  toSQL(): object;
  toString(): string;
}

interface Fragment {
  readonly sql: string;
  readonly params: readonly unknown[];
}

function fragmentOf(value: unknown): Fragment | undefined {
  if (value instanceof RawQueryFragment) return value;
  if (typeof value !== 'string' || !RawQueryFragment.isKnownFragment(value)) return undefined;
  return RawQueryFragment.getKnownFragment(value, false);
}

function isKnex(value: unknown): value is Knex {
  return typeof (value as { toSQL?: unknown } | null | undefined)?.toSQL === 'function';
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
