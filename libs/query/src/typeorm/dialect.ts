import type { DataSourceOptions } from 'typeorm';
import { InvalidQueryConfigError } from '../query.errors.js';

/** How engines differ in what a query needs. */
export interface Dialect {
  /** In which direction the engine by itself puts NULLs first. */
  readonly nullsFirst: 'asc' | 'desc';
  readonly hasNullsLast: boolean;
}

/** @throws InvalidQueryConfigError */
export function dialectOf(type: DataSourceOptions['type']): Dialect {
  const dialect = DIALECTS.get(type);
  if (dialect !== undefined) return dialect;
  // SQL Server takes [ for a wildcard, MongoDB takes no SQL: refused is better than wrong.
  throw new InvalidQueryConfigError(
    `Queries are not translated for a TypeORM data source of type "${type}".`,
    `Use one of ${[...DIALECTS.keys()].join(', ')}.`,
  );
}

const SQLITE: Dialect = { nullsFirst: 'asc', hasNullsLast: true };
const POSTGRES: Dialect = { nullsFirst: 'desc', hasNullsLast: true };
const MYSQL: Dialect = { nullsFirst: 'asc', hasNullsLast: false };

const DIALECTS: ReadonlyMap<DataSourceOptions['type'], Dialect> = new Map([
  ['better-sqlite3', SQLITE],
  ['sqljs', SQLITE],
  ['capacitor', SQLITE],
  ['cordova', SQLITE],
  ['expo', SQLITE],
  ['nativescript', SQLITE],
  ['react-native', SQLITE],
  ['postgres', POSTGRES],
  ['aurora-postgres', POSTGRES],
  ['cockroachdb', SQLITE],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['aurora-mysql', MYSQL],
]);
