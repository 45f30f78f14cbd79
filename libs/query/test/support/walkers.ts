import { EntitySchema as MikroSchema, MikroORM, type Options } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import Sqlite from 'better-sqlite3';
import createKnex, { type Knex } from 'knex';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm';
import type { NullOrder } from '../../src/config/null-order.js';
import { knexAdapter, type KnexQueryConfig } from '../../src/knex/index.js';
import { kyselyAdapter, type KyselyQueryConfig } from '../../src/kysely/index.js';
import { mikroOrmAdapter } from '../../src/mikro-orm/index.js';
import { typeOrmAdapter } from '../../src/typeorm/index.js';
import { pageOf } from './cursors.js';
import type { Walker } from './walk.js';
import { SqliteDriver } from './mikro-sqlite.js';

interface Row {
  readonly id: number;
}
type Dialect = 'postgres' | 'mariadb' | 'sqlite';

/** The database and table of a walker. */
export interface Place {
  /** Lets pg return timestamps as text, exact to the microsecond. */
  readonly timestampsAsText?: boolean;
  readonly dialect: Dialect;
  /** A URL, or the path of a file. */
  readonly url: string;
  readonly table: string;
  /** The `nulls` of the config. @default 'last' */
  readonly nulls?: NullOrder;
}

/** The `encode` of docs/kysely.md, for drivers that do not accept every value. */
const ENCODERS: Readonly<Record<Dialect, (value: unknown) => unknown>> = {
  // SQLite's driver accepts neither Dates nor booleans. Dates are stored as text.
  sqlite: (value) => {
    if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
    return typeof value === 'boolean' ? Number(value) : value;
  },
  postgres: (value) => value,
  mariadb: (value) => value,
};

export function kyselyWalker(
  place: Place,
  declared: KyselyQueryConfig,
): Promise<Walker & { rows(): Promise<Row[]> }> {
  const { dialect, table, nulls } = place;
  const db = new Kysely<Record<string, Row>>({ dialect: kyselyDialect(place) });
  const config = { ...declared, nulls, encode: ENCODERS[dialect] };
  const all = db.selectFrom(table).selectAll();
  return Promise.resolve({
    name: 'Kysely',
    kinds: kindsOf(declared),
    /** The rows as the driver returns them. */
    rows: () => all.execute(),
    async list(parsed) {
      const rows = await kyselyAdapter.build(parsed, config).apply(all).execute();
      return rows.map(({ id }) => id);
    },
    async page(parsed, options) {
      const query = kyselyAdapter.buildKeyset(parsed, config, options);
      return pageOf(await query.apply(all).execute(), query.cursorOf);
    },
    close: () => db.destroy(),
  });
}

function kyselyDialect({ dialect, url, timestampsAsText }: Place) {
  switch (dialect) {
    case 'postgres':
      return new PostgresDialect({
        pool: new pg.Pool({ connectionString: url, ...(timestampsAsText && { types }) }),
      });
    case 'mariadb':
      return new MysqlDialect({ pool: createPool({ uri: url, timezone: 'Z' }) });
    case 'sqlite':
      return new SqliteDialect({ database: new Sqlite(url) });
  }
}

/** Returns timestamp (1114) and timestamptz (1184) as text. */
const types = {
  getTypeParser: ((id: number) =>
    id === 1114 || id === 1184 ? String : pg.types.getTypeParser(id)) as never,
};

export function knexWalker(
  { dialect, url, table, nulls }: Place,
  declared: KnexQueryConfig,
): Promise<Walker> {
  const db = createKnex(
    dialect === 'sqlite'
      ? { client: 'better-sqlite3', connection: { filename: url }, useNullAsDefault: true }
      : {
          client: dialect === 'postgres' ? 'pg' : 'mysql2',
          connection: dialect === 'postgres' ? url : { uri: url, timezone: 'Z' },
        },
  );
  const encode = ENCODERS[dialect] as (value: unknown) => Knex.Value;
  const config = { ...declared, nulls, encode };
  return Promise.resolve({
    name: 'Knex',
    kinds: kindsOf(declared),
    async list(parsed) {
      const rows: Row[] = await knexAdapter.build(parsed, config).apply(db(table).select('*'));
      return rows.map(({ id }) => id);
    },
    async page(parsed, options) {
      const query = knexAdapter.buildKeyset(parsed, config, options);
      const rows: Row[] = await query.apply(db(table).select('*'));
      return pageOf(rows, query.cursorOf);
    },
    close: () => db.destroy(),
  });
}

/** @param columns TypeORM's column options for each kind */
export async function typeOrmWalker(
  { dialect, url, table, nulls }: Place,
  columns: Readonly<Record<string, object>>,
): Promise<Walker> {
  const nullable = Object.entries(columns).map(([name, column]) => [
    name,
    { ...column, nullable: true },
  ]);
  const entity = new EntitySchema<Row>({
    name: 'Walk',
    tableName: table,
    columns: { id: { type: Number, primary: true }, ...Object.fromEntries(nullable) } as never,
  });
  const place =
    dialect === 'sqlite'
      ? { type: 'better-sqlite3', database: url }
      : {
          type: dialect,
          url,
          ...(dialect === 'mariadb' && { timezone: 'Z', dateStrings: ['DATE'] }),
        };
  const source = new DataSource({ ...place, entities: [entity] } as DataSourceOptions);
  const repository = (await source.initialize()).getRepository(entity);
  const adapter = typeOrmAdapter(repository);
  const kinds = Object.keys(columns);
  const config = { filterable: kinds, sortable: [...kinds, 'id'], nulls };
  const builder = () => repository.createQueryBuilder('walk');
  return {
    name: 'TypeORM',
    kinds,
    async list(parsed) {
      const rows = await adapter.build(parsed, config).applyTo(builder()).getMany();
      return rows.map(({ id }) => id);
    },
    async page(parsed, options) {
      const query = adapter.buildKeyset(parsed, config, options);
      return pageOf(await query.applyTo(builder()).getMany(), query.cursorOf);
    },
    close: () => source.destroy(),
  };
}

/** @param properties MikroORM's property options for each kind */
export async function mikroOrmWalker(
  { dialect, url, table, nulls }: Place,
  properties: Readonly<Record<string, object>>,
): Promise<Walker> {
  const nullable = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, nullable: true },
  ]);
  const entity = new MikroSchema<Row>({
    name: 'Walk',
    tableName: table,
    properties: {
      id: { type: 'integer', primary: true },
      ...Object.fromEntries(nullable),
    } as never,
  });
  const place: Options =
    dialect === 'sqlite'
      ? { driver: SqliteDriver, dbName: url }
      : { driver: PostgreSqlDriver, clientUrl: url };
  const orm = await MikroORM.init({ ...place, entities: [entity] });
  const tasks = () => orm.em.fork().getRepository<Row>('Walk');
  const kinds = Object.keys(properties);
  const config = { filterable: kinds, sortable: [...kinds, 'id'], nulls };
  return {
    name: 'MikroORM',
    kinds,
    async list(parsed) {
      const { where, ...page } = mikroOrmAdapter(tasks()).build(parsed, config);
      return (await tasks().find(where, page)).map(({ id }) => id);
    },
    async page(parsed, options) {
      const query = mikroOrmAdapter(tasks()).buildKeyset(parsed, config, options);
      const { where, cursorOf, ...page } = query;
      return pageOf(await tasks().find(where, page), cursorOf);
    },
    close: () => orm.close(),
  };
}

function kindsOf({ columns }: { readonly columns: object }): string[] {
  return Object.keys(columns).filter((name) => name !== 'id');
}
