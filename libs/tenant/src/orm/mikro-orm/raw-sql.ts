import { isPlainObject } from '@fledge-internal/options';
import { RawQueryFragment } from '@mikro-orm/core';
import { checkClosed, escapedForPattern } from '../closed-parentheses.js';
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

/** Finds tables of tenants in SQL. */
export interface NamedTables {
  namedIn(sql: string): string | undefined;
  /** Returns undefined if the rows of all tenants may be used. */
  tenantId(): string | undefined;
}

/**
 * Key that marks queries of a guarded QueryBuilder. Such queries already contain the condition. The
 * key is a symbol, because MikroORM copies symbols when it clones an object.
 */
const MADE = Symbol('made by guardTenants');

interface Made {
  readonly [MADE]?: { readonly for?: BuiltFor | undefined };
}

export function markMade<Q extends object>(query: Q, tenant: BuiltFor | undefined): Q {
  return Object.defineProperty(query, MADE, { value: { for: tenant }, configurable: true });
}

/** Marks raw SQL in a condition after the guard has checked it. */
export function markMadeIn(value: unknown, tenant: BuiltFor | undefined): void {
  const fragment = fragmentOf(value);
  if (fragment) markMade(fragment, tenant);
  else if (Array.isArray(value)) for (const one of value) markMadeIn(one, tenant);
  else if (isPlainObject(value)) {
    for (const [key, one] of entriesOf(value)) {
      markMadeIn(key, tenant);
      markMadeIn(one, tenant);
    }
  }
}

/** Returns the tenant for which a query was built. */
export function madeFor(value: object): BuiltFor | undefined {
  return (value as Made)[MADE]?.for;
}

function isMade(value: object): boolean {
  return (value as Made)[MADE] !== undefined;
}

/** @throws TenantRowMismatchError if the query was built for another tenant */
export function checkTenantOf(tenant: BuiltFor | undefined, tables: NamedTables): void {
  if (tenant === undefined || tenant.id === tables.tenantId()) return;
  throw new TenantRowMismatchError('A query that was built earlier');
}

/** Returns true for a query, and for `raw()` as a value or as the key of an object. */
export function isRaw(value: unknown): boolean {
  return fragmentOf(value) !== undefined || queriesIn(value) !== undefined;
}

/** @throws TenantUnguardedError if the SQL contains the name of a table of tenants */
export function checkSql(sql: string, tables: NamedTables): void {
  const named = tables.namedIn(sql);
  if (named === undefined) return;
  throw new TenantUnguardedError(
    `Raw SQL with the table "${named}"`,
    'the guard cannot filter raw SQL',
    'Use the entity manager or its query builder, or use em.getConnection() and filter by tenant ' +
      'yourself',
  );
}

/**
 * Checks raw SQL in conditions, fields and orders.
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
  } else if (isPlainObject(value)) {
    for (const [key, one] of entriesOf(value)) {
      checkRawIn(key, tables);
      checkRawIn(one, tables);
    }
  } else {
    // The SQL of a query contains placeholders instead of values.
    for (const query of queriesIn(value) ?? []) {
      if (isMade(query)) checkTenantOf(madeFor(query), tables);
      else checkSql(query.sql, tables);
    }
  }
}

/** True if the SQL contains the name of a table of tenants, or was built for a tenant. */
export function needsTenant(check: (tables: NamedTables) => void, all: NamedTables): boolean {
  const tenantId = () => {
    throw new TenantRowMismatchError('A query that was built earlier');
  };
  try {
    check({ namedIn: (sql) => all.namedIn(sql), tenantId });
    return false;
  } catch {
    return true;
  }
}

/** The SQL is a part of a statement. @throws TenantUnguardedError */
export function checkFragment(fragment: Fragment, tables: NamedTables): void {
  checkNames(fragment, tables);
  checkClosed(fragment.sql);
}

/** Placeholders of MikroORM: `??` is a name, `?` is a value, and `\?` is a question mark. */
const PLACEHOLDERS = /\\?\?\??/g;

/** Checks the names in SQL and in its parameters. @throws TenantUnguardedError */
export function checkNames({ sql, params }: Fragment, tables: NamedTables): void {
  checkSql(sql, tables);
  const placeholders = [...sql.matchAll(PLACEHOLDERS)].filter(([text]) => text !== '\\?');
  for (const [i, param] of params.entries()) {
    if (typeof param !== 'string') checkRawIn(param, tables);
    else if (placeholders[i]?.[0] === '??') {
      const qualifier = QUALIFIER.exec(sql.slice(0, placeholders[i].index))?.[0] ?? '';
      checkSql(qualifier === '' ? withoutAlias(param) : qualifier + param, tables);
    }
  }
}

/** A name and a dot before another name, such as `n.`. `raw()` writes `[::alias::].` for the entity. */
const QUALIFIER = /(?:\w+|\[::alias::\])\.$/;

/** Returns `note` for `n.note`, because `n` may be a schema. */
function withoutAlias(name: string): string {
  return name.replace(/^\w+\.(?=\w+$)/, '');
}

/** Ignores the columns of aliases, such as `n.note`. A column may have the name of a table. */
export function ignoringColumnsOf(aliases: readonly string[], tables: NamedTables): NamedTables {
  const names = [...aliases, ALIAS_PLACEHOLDER].map(escapedForPattern).join('|');
  const columns = new RegExp(`(?<![\\w$.])["\`]?(?:${names})["\`]?\\.["\`]?[\\w$]+["\`]?`, 'g');
  return {
    namedIn: (sql) => tables.namedIn(sql.replace(columns, '')),
    tenantId: () => tables.tenantId(),
  };
}

/** MikroORM replaces this text by the alias of the entity: `raw((alias) => ...)`. */
const ALIAS_PLACEHOLDER = '[::alias::]';

/** The SQL contains the values. @throws TenantUnguardedError */
export function checkFormatted(sql: string, tables: NamedTables): void {
  // Databases interpret backslashes in strings differently. If the SQL contains a backslash, the
  // values are checked too.
  checkSql(sql.includes('\\') ? sql : sql.replace(/'(?:[^']|'')*'/g, "''"), tables);
}

/** Puts the condition's raw SQL in parentheses, because the SQL may contain OR. */
export function withParentheses(condition: Row): Row {
  return parenthesized(condition) as Row;
}

function parenthesized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parenthesized);
  const fragment = fragmentOf(value);
  if (fragment) {
    if (isMade(fragment)) return value;
    // Needed because each key can be used only once.
    if (typeof value === 'string') forgetKey(value);
    return new RawQueryFragment(`(${fragment.sql})`, [...fragment.params]);
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    entriesOf(value).map(([key, one]) => [
      // MikroORM converts this object to a key.
      parenthesized(key) as string,
      LISTS.has(key) ? listed(one) : parenthesized(one),
    ]),
  );
}

const LISTS: ReadonlySet<unknown> = new Set(['$in', '$nin']);

/**
 * Wraps a subquery of `in`. MikroORM adds parentheses. With two pairs of parentheses, the database
 * would read the subquery as one value.
 */
function listed(value: unknown): unknown {
  const fragment = fragmentOf(value);
  if (!fragment || isMade(fragment)) return fragment ? value : parenthesized(value);
  return new RawQueryFragment(fragment.sql, [...fragment.params]);
}
