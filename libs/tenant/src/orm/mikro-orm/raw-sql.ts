import { RawQueryFragment } from '@mikro-orm/core';
import { checkClosed } from '../closed-sql.js';
import { TenantRowMismatchError, TenantUnguardedError } from '../../tenant.errors.js';
import {
  type BuiltFor,
  entriesOf,
  forgetKey,
  type Fragment,
  fragmentOf,
  queriesIn,
  type Row,
} from './sql-internals.js';

/** Finds a table with rows of tenants in a text of SQL. */
export interface NamedTables {
  namedIn(sql: string): string | undefined;
  /** The tenant whose rows code may use. Undefined for all rows. */
  tenantId(): string | undefined;
}

/** Marks queries that a guarded QueryBuilder made: they have the condition. MikroORM's copies keep symbols. */
const MADE = Symbol('made by guardTenants');

interface Made {
  readonly [MADE]?: { readonly for?: BuiltFor | undefined };
}

export function markMade<Q extends object>(query: Q, tenant: BuiltFor | undefined): Q {
  return Object.defineProperty(query, MADE, { value: { for: tenant }, configurable: true });
}

/** Marks the raw SQL of a condition that was checked and completed. */
export function markMadeIn(value: unknown, tenant: BuiltFor | undefined): void {
  const fragment = fragmentOf(value);
  if (fragment) markMade(fragment, tenant);
  else if (Array.isArray(value)) for (const one of value) markMadeIn(one, tenant);
  else if (isPlain(value)) {
    for (const [key, one] of entriesOf(value)) {
      markMadeIn(key, tenant);
      markMadeIn(one, tenant);
    }
  }
}

/** The tenant that a query was built for. */
export function madeFor(value: object): BuiltFor | undefined {
  return (value as Made)[MADE]?.for;
}

function isMade(value: object): boolean {
  return (value as Made)[MADE] !== undefined;
}

/** @throws TenantRowMismatchError for a query that was built for another tenant */
export function checkTenantOf(tenant: BuiltFor | undefined, tables: NamedTables): void {
  if (tenant === undefined || tenant.id === tables.tenantId()) return;
  throw new TenantRowMismatchError('A query that was built before');
}

/** `raw()`, as a value or as the key of an object, or a query. */
export function isRaw(value: unknown): boolean {
  return fragmentOf(value) !== undefined || queriesIn(value) !== undefined;
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
 * @throws TenantRowMismatchError
 */
export function checkRawIn(value: unknown, tables: NamedTables): void {
  const fragment = fragmentOf(value);
  const made = fragment ?? value;
  if (typeof made === 'object' && made !== null && isMade(made)) {
    return checkTenantOf(madeFor(made), tables);
  }
  if (fragment) return checkFragment(fragment, tables);
  if (Array.isArray(value)) {
    for (const one of value) checkRawIn(one, tables);
  } else if (isPlain(value)) {
    for (const [key, one] of entriesOf(value)) {
      checkRawIn(key, tables);
      checkRawIn(one, tables);
    }
  } else {
    // The text of a query has no values, which look like names.
    for (const query of queriesIn(value) ?? []) {
      if (isMade(query)) checkTenantOf(madeFor(query), tables);
      else checkSql(query.sql, tables);
    }
  }
}

/** Whether raw SQL needs a tenant: it names a table with rows of tenants, or was built for one. */
export function needsTenant(check: (tables: NamedTables) => void, all: NamedTables): boolean {
  const tenantId = () => {
    throw new TenantRowMismatchError('A query that was built before');
  };
  try {
    check({ namedIn: (sql) => all.namedIn(sql), tenantId });
    return false;
  } catch {
    return true;
  }
}

/**
 * Checks raw SQL that is part of a statement.
 * @throws TenantUnguardedError
 */
export function checkFragment(fragment: Fragment, tables: NamedTables): void {
  checkNames(fragment, tables);
  checkClosed(fragment.sql);
}

/** The placeholders of MikroORM: `??` is replaced by a name, `?` by a value, and `\?` by a question mark. */
const PLACEHOLDERS = /\\?\?\??/g;

/**
 * Checks the names in a text of SQL, also those among its parameters.
 * @throws TenantUnguardedError
 */
export function checkNames({ sql, params }: Fragment, tables: NamedTables): void {
  checkSql(sql, tables);
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
    if (isMade(fragment)) return value;
    // Each is used once.
    if (typeof value === 'string') forgetKey(value);
    return new RawQueryFragment(`(${fragment.sql})`, [...fragment.params]);
  }
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    entriesOf(value).map(([key, one]) => [
      // Turned into a key by MikroORM.
      parenthesized(key) as string,
      LISTS.has(key) ? listed(one) : parenthesized(one),
    ]),
  );
}

const LISTS: ReadonlySet<unknown> = new Set(['$in', '$nin']);

/** MikroORM puts parentheses around a subquery of `in`. Two pairs would make one value of its rows. */
function listed(value: unknown): unknown {
  const fragment = fragmentOf(value);
  if (!fragment || isMade(fragment)) return fragment ? value : parenthesized(value);
  return new RawQueryFragment(fragment.sql, [...fragment.params]);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
