// Columns of PostgreSQL with a collation of their own: one that refuses LIKE, and one in which I is not the capital of i.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import createKnex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';

const URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const name = `fledge_collation_${randomBytes(5).toString('hex')}`;

interface Row {
  readonly id: number;
}
type Find = (query: object) => Promise<Row[]>;
interface Opened {
  readonly find: Find;
  close(): Promise<unknown>;
}

const DECLARED = {
  columns: { id: 'integer', folded: 'string', turkish: 'string' },
  searchColumns: ['folded', 'turkish'],
  primaryKey: 'id',
} as const;
const PATHS = {
  filterable: ['folded', 'turkish'],
  searchable: ['folded', 'turkish'],
} as const;
const options = { where: true, operators: ['ieq'] } as const;

const OPEN: [adapter: string, open: () => Promise<Opened>][] = [
  [
    'Kysely',
    () => {
      const pool = new pg.Pool({ connectionString: URL });
      const db = new Kysely<Record<string, Row>>({ dialect: new PostgresDialect({ pool }) });
      return Promise.resolve({
        find: (query) =>
          kyselyAdapter
            .build(parseQuery(query, DECLARED, options), DECLARED)
            .apply(db.selectFrom(name).select('id'))
            .execute(),
        close: () => db.destroy(),
      });
    },
  ],
  [
    'Knex',
    () => {
      const db = createKnex({ client: 'pg', connection: URL });
      return Promise.resolve({
        find: async (query) =>
          (await knexAdapter
            .build(parseQuery(query, DECLARED, options), DECLARED)
            .apply(db(name).select('id'))) as Row[],
        close: () => db.destroy(),
      });
    },
  ],
  [
    'Drizzle',
    () => {
      const client = new pg.Pool({ connectionString: URL });
      const tasks = pgTable(name, { id: integer().primaryKey(), folded: text(), turkish: text() });
      const { id, folded, turkish } = tasks;
      const config = { columns: { id, folded, turkish }, searchColumns: [folded, turkish] };
      return Promise.resolve({
        find: (query) => {
          const page = drizzleAdapter.build(parseQuery(query, config, options), config);
          return drizzle({ client })
            .select({ id })
            .from(tasks)
            .where(page.where)
            .orderBy(...page.orderBy);
        },
        close: () => client.end(),
      });
    },
  ],
  [
    'TypeORM',
    async () => {
      const columns = {
        id: { type: 'integer', primary: true },
        folded: { type: 'text' },
        turkish: { type: 'text' },
      } as const;
      const entity = new EntitySchema<Row>({
        name: 'Task',
        tableName: name,
        columns: columns,
      });
      const source = await new DataSource({
        type: 'postgres',
        url: URL,
        entities: [entity],
      }).initialize();
      const repository = source.getRepository<Row>('Task');
      return {
        find: async (query) => {
          const built = typeOrmAdapter(repository).build(parseQuery(query, PATHS, options), PATHS);
          const rows = await built.applyTo(repository.createQueryBuilder('t')).getMany();
          expect((await repository.find(built)).map(({ id }) => id)).toEqual(
            rows.map(({ id }) => id),
          );
          return rows;
        },
        close: () => source.destroy(),
      };
    },
  ],
  [
    'MikroORM',
    async () => {
      const entity = new MikroSchema<Row>({
        name: 'Task',
        tableName: name,
        properties: {
          id: { type: 'integer', primary: true },
          folded: { type: 'text' },
          turkish: { type: 'text' },
        } as never,
      });
      const orm: MikroORM = await MikroORM.init({
        driver: PostgreSqlDriver,
        clientUrl: URL,
        entities: [entity],
      });
      return {
        find: (query) => {
          const repository = orm.em.fork().getRepository<Row>('Task');
          const { where, ...page } = mikroOrmAdapter(repository).build(
            parseQuery(query, PATHS, options),
            PATHS,
          );
          return repository.find(where, page);
        },
        close: () => orm.close(),
      };
    },
  ],
];

describe.each(OPEN)('%s finds text in columns with a collation of their own', (_, open) => {
  let client: pg.Client;
  let opened: Opened;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: URL });
    await client.connect();
    const folded = `${name}_ci`;
    await client.query(`create collation ${folded}
      (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`);
    await client.query(`create table ${name} (id integer primary key, folded text collate ${folded},
      turkish text collate "tr-TR-x-icu")`);
    await client.query(
      `insert into ${name} values (1, 'Oslo', 'ISTANBUL'), (2, 'Bergen', 'izmir')`,
    );
    opened = await open();
  });
  afterAll(async () => {
    await opened.close();
    await client.query(`drop table ${name}; drop collation ${name}_ci`);
    await client.end();
  });

  it.each([
    [{ filter: 'folded:contains:SL' }, [1]],
    [{ filter: 'folded:ieq:oslo' }, [1]],
    [{ where: 'not(folded:starts:o)' }, [2]],
    [{ filter: 'turkish:contains:istan' }, [1]],
    [{ filter: 'turkish:starts:IZ' }, [2]],
    [{ q: 'IST' }, [1]],
  ])('%j', async (query, ids) => {
    expect((await opened.find(query)).map(({ id }) => id)).toEqual(ids);
  });
});
