import type { TableName } from '../sql-names.js';

/** Returns the name that findings and `accept` use for a table or for a part of a table. */
export function subjectOf({ schema, table }: TableName, part?: string): string {
  const name = schema === undefined ? table : `${schema}.${table}`;
  return part === undefined ? name : `${name} ${part}`;
}

/** Returns the fix for a table without its policy. */
export function rlsSqlFor(table: TableName): string {
  return `Run the SQL of rlsSql(['${subjectOf(table)}']) as the owner of the table.`;
}
