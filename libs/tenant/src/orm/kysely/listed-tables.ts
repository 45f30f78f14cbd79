import type { TableNode } from 'kysely';
import { compileTablePattern } from '../closed-parentheses.js';
import { TenantOptionError, TenantUnguardedError } from '../../tenant.errors.js';

type Listed = 'guarded' | 'shared' | undefined;

export interface ListedTables {
  of(table: TableNode): Listed;
  /** Returns the first guarded table whose name is in the SQL. */
  namedIn(sql: string): string | undefined;
}

/**
 * @throws TenantOptionError if a table is in both lists, or if the list of guarded tables is empty
 */
export function listedTables(guarded: readonly string[], shared: readonly string[]): ListedTables {
  if (guarded.length === 0) {
    throw new TenantOptionError('tenantPlugin({ tables }) is empty. List the tables of tenants.');
  }
  const twice = guarded.find((name) => shared.includes(name));
  if (twice !== undefined) {
    throw new TenantOptionError(
      `tenantPlugin() has the table "${twice}" in \`tables\` and in \`shared\`. Remove the table ` +
        `from one of these lists.`,
    );
  }
  const isIn = (names: readonly string[], table: TableNode) =>
    names.some((name) => isNamed(table, name));
  const words = guarded.map((name) => ({
    name,
    pattern: compileTablePattern(name.slice(name.lastIndexOf('.') + 1)),
  }));
  return {
    of(table) {
      if (isIn(guarded, table)) return 'guarded';
      return isIn(shared, table) ? 'shared' : undefined;
    },
    namedIn: (sql) => words.find(({ pattern }) => pattern.test(sql))?.name,
  };
}

/** A name without a schema matches tables in every schema. `withSchema()` adds the schema later. */
function isNamed({ table }: TableNode, name: string): boolean {
  const [bare, schema] = name.split('.').reverse() as [string, string?];
  const asked = table.schema?.name;
  if (table.identifier.name.toLowerCase() !== bare.toLowerCase()) return false;
  return (
    schema === undefined || asked === undefined || schema.toLowerCase() === asked.toLowerCase()
  );
}

/** Returns the name of a table, such as `billing.invoice`. */
export function nameTable({ table }: TableNode): string {
  const { schema, identifier } = table;
  return schema === undefined ? identifier.name : `${schema.name}.${identifier.name}`;
}

/** @throws TenantUnguardedError if raw SQL contains the name of a guarded table */
export function checkNamed(sql: string, tables: ListedTables): void {
  const named = tables.namedIn(sql);
  if (named === undefined) return;
  throw new TenantUnguardedError(
    `Raw SQL with the table "${named}"`,
    'the plugin cannot filter raw SQL',
    'Use the query builder, or use db.withoutPlugins() and filter by tenant yourself',
  );
}
