import type { DataSourceOptions } from 'typeorm';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { NullRank } from '../resolve/database-nulls.js';
import { type EngineTraits, traitsOf } from '../shared-sql/order-sql.js';

export type Dialect = EngineTraits & { readonly nullRank: NullRank };

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

const SQLITE: Dialect = { ...traitsOf('sqlite'), nullRank: 'smallest' };
const MYSQL: Dialect = { ...traitsOf('mysql'), nullRank: 'smallest' };
const POSTGRES: Dialect = { ...traitsOf('postgresql'), nullRank: 'largest' };
const COCKROACH: Dialect = { ...POSTGRES, nullRank: 'smallest', hasCollations: false };

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
