import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import type { SqlEntityManager } from '@mikro-orm/better-sqlite';
import { EntitySchema, MikroORM, type Options } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import Sqlite from 'better-sqlite3';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysql from 'drizzle-orm/mysql-core';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';
import knex from 'knex';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { DataSource, type DataSourceOptions, EntitySchema as TypeOrmSchema } from 'typeorm';
import type { KeysetOptions } from '../../src/page/keyset-page.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import type { Summary } from '../../src/summary/summary.js';
import {
  ARRAYS,
  columnsFor,
  declaredConfig,
  type Dialect,
  INSIDE,
  type JsonRow,
  openJsonTable,
  SUMMARIZED,
} from './json-rows.js';
import { SqliteDriver } from './mikro-sqlite.js';

/** An adapter on an engine with the rows. */
export interface JsonEngine {
  find(parsed: AnyParsedQuery): Promise<{ ids: number[]; total: number }>;
  /** The ids of a page by cursor, and the cursor after it. */
  page(
    parsed: AnyParsedQuery,
    options: KeysetOptions,
  ): Promise<{ ids: number[]; next: string | undefined }>;
  summarize(parsed: AnyParsedQuery): Promise<Summary>;
  close(): Promise<void>;
}

function pageOf(rows: readonly object[], cursorOf: (row: never) => string) {
  const last = rows.at(-1);
  return {
    ids: rows.map((row) => (row as JsonRow).id),
    next: last && cursorOf(last as never),
  };
}

export async function knexJson(dialect: Dialect): Promise<JsonEngine> {
  const table = await openJsonTable(dialect);
  const config = declaredConfig(dialect);
  const db = knex(
    {
      sqlite: {
        client: 'better-sqlite3',
        connection: { filename: table.url },
        useNullAsDefault: true,
      },
      postgres: { client: 'pg', connection: table.url },
      mariadb: { client: 'mysql2', connection: { uri: table.url } as object },
    }[dialect],
  );
  return {
    async find(parsed) {
      const query = knexAdapter.build(parsed, config);
      const rows: JsonRow[] = await query.apply(db(table.name).select('id'));
      const [count] = await query.applyCount(db(table.name));
      return { ids: rows.map(({ id }) => id), total: Number(count?.total) };
    },
    async page(parsed, options) {
      const { apply, cursorOf } = knexAdapter.buildKeyset(parsed, config, options);
      return pageOf((await apply(db(table.name).select('*'))) as object[], cursorOf);
    },
    summarize: (parsed) => knexAdapter.summarize(parsed, config, db(table.name)),
    close: () => db.destroy().then(() => table.close()),
  };
}

export async function kyselyJson(dialect: Dialect): Promise<JsonEngine> {
  const table = await openJsonTable(dialect);
  const config = declaredConfig(dialect);
  const db = new Kysely<Record<string, JsonRow>>({
    dialect: {
      sqlite: () => new SqliteDialect({ database: new Sqlite(table.url) }),
      postgres: () => new PostgresDialect({ pool: new pg.Pool({ connectionString: table.url }) }),
      mariadb: () => new MysqlDialect({ pool: createPool({ uri: table.url }) }),
    }[dialect](),
  });
  const rowsOf = () => db.selectFrom(table.name);
  return {
    async find(parsed) {
      const query = kyselyAdapter.build(parsed, config);
      const rows = await query.apply(rowsOf().select('id')).execute();
      const { total } = await query.applyCount(rowsOf()).executeTakeFirstOrThrow();
      return { ids: rows.map(({ id }) => Number(id)), total: Number(total) };
    },
    async page(parsed, options) {
      const { apply, cursorOf } = kyselyAdapter.buildKeyset(parsed, config, options);
      return pageOf(await apply(rowsOf().selectAll()).execute(), cursorOf);
    },
    summarize: (parsed) => kyselyAdapter.summarize(parsed, config, rowsOf()),
    close: () => db.destroy().then(() => table.close()),
  };
}

function drizzlePlace(dialect: Dialect, name: string, url: string) {
  if (dialect === 'sqlite') {
    const client = new Sqlite(url);
    const table = sqlite.sqliteTable(name, {
      id: sqlite.integer().primaryKey(),
      settings: sqlite.text({ mode: 'json' }),
      list: sqlite.text({ mode: 'json' }),
    });
    const end = () => Promise.resolve(void client.close());
    return { table, db: onSqlite({ client }), end };
  }
  if (dialect === 'postgres') {
    const pool = new pg.Pool({ connectionString: url });
    const table = pgCore.pgTable(name, {
      id: pgCore.integer().primaryKey(),
      settings: pgCore.jsonb(),
      list: pgCore.jsonb(),
      labels: pgCore.text().array(),
    });
    return { table, db: onPostgres({ client: pool }), end: () => pool.end() };
  }
  const pool = createPool({ uri: url });
  const table = mysql.mysqlTable(name, {
    id: mysql.int().primaryKey(),
    settings: mysql.json(),
    list: mysql.json(),
  });
  return { table, db: onMysql({ client: pool }), end: () => pool.promise().end() };
}

export async function drizzleJson(dialect: Dialect): Promise<JsonEngine> {
  const place = await openJsonTable(dialect);
  const { table, db, end } = drizzlePlace(dialect, place.name, place.url);
  const columns = table as unknown as Record<'settings' | 'list' | 'labels', pgCore.PgColumn>;
  const mapped = (fields: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, column]) => {
        const { name = field, ...declared } = column as { readonly name?: string };
        return [field, { column: columns[name as 'settings'], ...declared }];
      }),
    );
  const config: DrizzleQueryConfig = {
    columns: { id: table.id, ...mapped(columnsFor(dialect)) },
    sortable: { id: table.id, ...mapped(INSIDE) },
    searchColumns: Object.values(mapped({ theme: INSIDE.theme, owner: INSIDE.owner })),
    ...SUMMARIZED,
  };
  const source = db as unknown as ReturnType<typeof onPostgres>;
  const from = table as unknown as pgCore.PgTable;
  return {
    async find(parsed) {
      const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, config);
      const rows = await source
        .select()
        .from(from)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset);
      const total = await source.$count(from, where);
      return { ids: rows.map((row) => (row as unknown as JsonRow).id), total };
    },
    async page(parsed, options) {
      const page = drizzleAdapter.buildKeyset(parsed, config, options);
      const rows = await source
        .select()
        .from(from)
        .where(page.where)
        .orderBy(...page.orderBy)
        .limit(page.limit);
      return pageOf(rows, page.cursorOf);
    },
    summarize: (parsed) =>
      drizzleAdapter.summarize(parsed, config, (select, where) =>
        source.select(select).from(from).where(where),
      ),
    close: () => end().then(() => place.close()),
  };
}

/** The config of adapters that read metadata. */
function derivedConfig(dialect: Dialect) {
  const columns = columnsFor(dialect);
  const named = Object.fromEntries(
    Object.entries(columns).map(([field, column]) => [field, { name: field, ...column }]),
  );
  const inside = Object.fromEntries(
    Object.entries(named).filter(([field]) => !Object.hasOwn(ARRAYS, field) && field !== 'labels'),
  );
  return {
    columns: { id: 'id', ...named },
    sortable: { id: 'id', ...inside },
    ...SUMMARIZED,
  };
}

export async function typeOrmJson(dialect: Dialect): Promise<JsonEngine> {
  const table = await openJsonTable(dialect);
  const json = { sqlite: 'simple-json', postgres: 'jsonb', mariadb: 'json' }[dialect];
  const entity = new TypeOrmSchema<JsonRow>({
    name: 'Row',
    tableName: table.name,
    columns: {
      id: { type: 'int', primary: true },
      settings: { type: json, nullable: true },
      list: { type: json, nullable: true },
      ...(dialect === 'postgres' && { labels: { type: 'text', array: true, nullable: true } }),
    } as never,
  });
  const options = {
    sqlite: { type: 'better-sqlite3', database: table.url },
    postgres: { type: 'postgres', url: table.url },
    mariadb: { type: 'mariadb', url: table.url },
  }[dialect];
  const source = new DataSource({ ...options, entities: [entity] } as DataSourceOptions);
  await source.initialize();
  const rows = source.getRepository(entity);
  const adapter = typeOrmAdapter(rows);
  const config = derivedConfig(dialect) as never;
  return {
    async find(parsed) {
      const query = adapter.build(parsed, config);
      const found = await query.applyTo(rows.createQueryBuilder('row')).getMany();
      // The conditions as `find` takes them.
      const total = await rows.count({ where: query.where });
      return { ids: found.map(({ id }) => id), total };
    },
    async page(parsed, options) {
      const { applyTo, cursorOf } = adapter.buildKeyset(parsed, config, options);
      return pageOf(await applyTo(rows.createQueryBuilder('row')).getMany(), cursorOf);
    },
    summarize: (parsed) => adapter.summarize(parsed, config, rows.createQueryBuilder('row')),
    close: () => source.destroy().then(() => table.close()),
  };
}

export async function mikroOrmJson(dialect: Dialect): Promise<JsonEngine> {
  const table = await openJsonTable(dialect);
  const entity = new EntitySchema<JsonRow>({
    name: 'Row',
    tableName: table.name,
    properties: {
      id: { type: 'integer', primary: true },
      settings: { type: 'json', nullable: true },
      list: { type: 'json', nullable: true },
      ...(dialect === 'postgres' && { labels: { type: 'array', nullable: true } }),
    } as never,
  });
  const options: Options =
    dialect === 'sqlite'
      ? { driver: SqliteDriver, dbName: table.url }
      : { driver: PostgreSqlDriver, clientUrl: table.url };
  const orm = await MikroORM.init({ ...options, entities: [entity] });
  const rowsOf = () => orm.em.fork().getRepository<JsonRow>('Row');
  const config = derivedConfig(dialect) as never;
  return {
    async find(parsed) {
      const rows = rowsOf();
      const { where, ...page } = mikroOrmAdapter(rows).build(parsed, config);
      const [found, total] = await rows.findAndCount(where, page);
      return { ids: found.map(({ id }) => id), total };
    },
    async page(parsed, options) {
      const rows = rowsOf();
      const { where, cursorOf, ...page } = mikroOrmAdapter(rows).buildKeyset(
        parsed,
        config,
        options,
      );
      return pageOf(await rows.find(where, page), cursorOf);
    },
    summarize(parsed) {
      const em = orm.em.fork() as SqlEntityManager;
      const adapter = mikroOrmAdapter<JsonRow>(em.getRepository<JsonRow>('Row') as never);
      return adapter.summarize(parsed, config, em.createQueryBuilder('Row'));
    },
    close: () => orm.close().then(() => table.close()),
  };
}
