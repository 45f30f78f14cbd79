import type { DataSourceOptions } from 'typeorm';
import { InvalidQueryConfigError } from '../query.errors.js';

/** How engines differ in what a query needs. */
export interface Dialect {
  /** In which direction the engine by itself puts NULLs first. */
  readonly nullsFirst: 'asc' | 'desc';
  readonly hasNullsLast: boolean;
  readonly isMysql: boolean;
  /** Whether values go through pg, which writes a Date in whole minutes from UTC. */
  readonly isPostgres: boolean;
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

const NEITHER = { isMysql: false, isPostgres: false };
const SQLITE: Dialect = { ...NEITHER, nullsFirst: 'asc', hasNullsLast: true };
const COCKROACH: Dialect = { ...SQLITE, isPostgres: true };
const POSTGRES: Dialect = { ...COCKROACH, nullsFirst: 'desc' };
const MYSQL: Dialect = { ...NEITHER, nullsFirst: 'asc', hasNullsLast: false, isMysql: true };

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
  ['cockroachdb', COCKROACH],
  ['mysql', MYSQL],
  ['mariadb', MYSQL],
  ['aurora-mysql', MYSQL],
]);
