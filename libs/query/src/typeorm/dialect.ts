import type { DataSourceOptions } from 'typeorm';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { NullRank } from '../resolve/native-nulls.js';

/** The differences between engines that matter for a query. */
export interface Dialect {
  readonly nullRank: NullRank;
  /** Whether an order may say `NULLS LAST` or `NULLS FIRST`. */
  readonly placesNulls: boolean;
  readonly isMysql: boolean;
  /** Whether the driver is pg, which sends a Date with an offset in whole minutes. */
  readonly isPostgres: boolean;
  /** Whether a column may have a collation that LIKE and LOWER follow, as in PostgreSQL. */
  readonly hasCollations: boolean;
}

/** @throws InvalidQueryConfigError */
export function dialectOf(type: DataSourceOptions['type']): Dialect {
  const dialect = DIALECTS.get(type);
  if (dialect !== undefined) return dialect;
  // In SQL Server `[` is a wildcard, and MongoDB has no SQL.
  throw new InvalidQueryConfigError(
    `A TypeORM data source of type "${type}" is not supported.`,
    `Use one of ${[...DIALECTS.keys()].join(', ')}.`,
  );
}

const NEITHER = { isMysql: false, isPostgres: false, hasCollations: false };
const SQLITE: Dialect = { ...NEITHER, nullRank: 'smallest', placesNulls: true };
const COCKROACH: Dialect = { ...SQLITE, isPostgres: true };
const POSTGRES: Dialect = { ...COCKROACH, nullRank: 'largest', hasCollations: true };
const MYSQL: Dialect = { ...NEITHER, nullRank: 'smallest', placesNulls: false, isMysql: true };

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
