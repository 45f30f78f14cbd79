import { RawQueryFragment } from '@mikro-orm/core';
import { isClosed } from '../guard/closed-sql.js';
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
    checkFragment(fragment, tables);
  } else if (isKnex(value)) {
    // Not its text, in which values look like names.
    const queries = made.has(value) ? [] : [value.toSQL()].flat();
    for (const { sql } of queries) checkSql(sql, tables);
  } else if (Array.isArray(value)) {
    for (const one of value) checkRawIn(one, tables);
  } else if (isPlain(value)) {
    for (const [key, one] of Object.entries(value)) {
      checkRawIn(key, tables);
      checkRawIn(one, tables);
    }
  }
}

/** The placeholders of Knex: `??` is replaced by a name, `?` by a value, and `\?` by a question mark. */
const PLACEHOLDERS = /\\?\?\??/g;

function checkFragment({ sql, params }: Fragment, tables: NamedTables): void {
  checkSql(sql, tables);
  if (!isClosed(sql)) {
    throw new TenantUnguardedError(
      `The raw SQL ${sql}`,
      'it could end the condition on the tenant',
      'Close its parentheses and quotes, and leave out ; and comments to the end of the line',
    );
  }
  const placeholders = [...sql.matchAll(PLACEHOLDERS)].filter(([text]) => text !== '\\?');
  for (const [i, param] of params.entries()) {
    if (typeof param !== 'string') checkRawIn(param, tables);
    else if (placeholders[i]?.[0] === '??') checkSql(withoutAlias(param), tables);
  }
}

/** `note` of `n.note`, which may be the table of a schema. */
function withoutAlias(name: string): string {
  return name.replace(/^\w+\.(?=\w+$)/, '');
}

/**
 * Checks the text of a query in which values are written out.
 * @throws TenantUnguardedError
 */
export function checkFormatted(sql: string, tables: NamedTables): void {
  // Databases read a backslash in a string in different ways, so such a text is checked with its values.
  checkSql(sql.includes('\\') ? sql : sql.replace(/'(?:[^']|'')*'/g, "''"), tables);
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
  toSQL(): Sql | readonly Sql[];
}

interface Sql {
  readonly sql: string;
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
