import type { DataSourceOptions } from 'typeorm';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { NullRank } from '../resolve/native-nulls.js';
import type { OrderEngine } from '../shared-sql/order-sql.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';

export interface Dialect extends OrderEngine {
  readonly nullRank: NullRank;
  readonly engine: SqlEngine;
  /** True if a column may have a collation that affects LIKE and LOWER, as in PostgreSQL. */
  readonly hasCollations: boolean;
}

/** @throws InvalidQueryConfigError */
export function dialectOf(type: DataSourceOptions['type']): Dialect {
  const dialect = DIALECTS.get(type);
  if (dialect !== undefined) return dialect;
  // SQL Server is rejected because `[` is a wildcard there, and MongoDB because it has no SQL.
  throw new InvalidQueryConfigError(
    `A TypeORM data source of type "${type}" is not supported.`,
    `Use one of these types: ${[...DIALECTS.keys()].join(', ')}.`,
  );
}

const SQLITE: Dialect = {
  engine: 'sqlite',
  nullRank: 'smallest',
  placesNulls: true,
  hasCollations: false,
  ordersByDefinition: () => false,
};
const COCKROACH: Dialect = { ...SQLITE, engine: 'postgresql' };
const POSTGRES: Dialect = { ...COCKROACH, nullRank: 'largest', hasCollations: true };
const MYSQL: Dialect = {
  ...SQLITE,
  engine: 'mysql',
  placesNulls: false,
  ordersByDefinition: ({ type }) => type === 'enum',
};

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
