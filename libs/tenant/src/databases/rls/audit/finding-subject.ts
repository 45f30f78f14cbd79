import type { TableName } from '../sql-names.js';

/** Findings and the option `accept` use this name. */
export function subjectOf({ schema, table }: TableName, part?: string): string {
  const name = schema === undefined ? table : `${schema}.${table}`;
  return part === undefined ? name : `${name} ${part}`;
}

export function rlsSqlFor(table: TableName): string {
  return `Run the SQL of rlsSql(['${subjectOf(table)}']) as the owner of the table.`;
}
