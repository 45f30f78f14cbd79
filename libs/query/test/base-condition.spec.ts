// A condition of the application joined to that of an adapter, as docs/adapters.md shows, holds for every query.
import { type AnyParsedQuery, parseQuery } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import Sqlite from 'better-sqlite3';
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import createKnex from 'knex';
import { Kysely, SqliteDialect } from 'kysely';
import { Query } from 'mingo';
import { model, Schema } from 'mongoose';
import { DataSource, EntitySchema } from 'typeorm';
import { openSqlite, type SqliteTable } from './support/databases.js';
import { ROWS, TASKS } from './support/dataset.js';
import { SqliteDriver } from './support/mikro-sqlite.js';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly note: string | null;
  readonly status: string;
}
interface Answer {
  readonly ids: readonly number[];
  readonly total: number;
}
type List = (parsed: AnyParsedQuery) => Promise<Answer>;

const MINE = 'held';
const { id, title, note, status } = TASKS.columns;
const CONFIG = {
  columns: { id, title, note, status },
  searchColumns: ['title', 'note'],
  primaryKey: 'id',
} as const;
const NAMES = {
  filterable: ['id', 'title', 'note', 'status'],
  sortable: ['id', 'title'],
  searchable: ['title', 'note'],
};

const QUERIES: readonly object[] = [
  {},
  { q: 'a' },
  { q: '%' },
  { q: "' or 1=1 --" },
  { filter: 'status:eq:open' },
  { filter: ['status:neq:held', 'id:gt:0'] },
  { filter: 'status:in:open,done,held', q: 'note' },
  { filter: 'status:nin:held' },
  { filter: 'note:isnull:true' },
  { filter: 'id:in:,' },
  { filter: 'id:nin:,', sort: 'title:desc' },
  { filter: ['$or:eq:1', 'OR:eq:1', '__proto__:eq:1', "title:contains:x' or '1'='1"] },
];

const table = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: text().notNull(),
  note: text(),
  status: text({ enum: ['open', 'done', 'held'] }).notNull(),
});
const TypeOrmTask = new EntitySchema<Row>({
  name: 'Task',
  tableName: 'tasks',
  columns: {
    id: { type: Number, primary: true },
    title: { type: String },
    note: { type: String, nullable: true },
    status: { type: String },
  },
});
const MikroTask = new MikroSchema<Row>({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    id: { type: 'integer', primary: true },
    title: { type: 'string' },
    note: { type: 'string', nullable: true },
    status: { type: 'string' },
  },
});
const MongooseTask = model(
  'BaseConditionTask',
  new Schema(
    {
      id: { type: Number, required: true },
      title: { type: String, required: true },
      note: String,
      status: { type: String, required: true },
    },
    { id: false },
  ),
);

const answerOf = (rows: readonly { id: number }[], total: unknown): Answer => ({
  ids: rows.map((row) => row.id),
  total: Number(total),
});

/** Each adapter with the condition `status = 'held'`, on the dataset in a file. */
const ADAPTERS: Record<string, (path: string) => Promise<[List, () => Promise<unknown> | void]>> = {
  async Drizzle(path) {
    const client = new Sqlite(path);
    const db = drizzle({ client });
    const { id, title, note, status } = table;
    const config = { columns: { id, title, note, status }, searchColumns: [title, note] };
    const list: List = async (parsed) => {
      const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, config);
      const mine = and(eq(status, MINE), where);
      const page = db.select().from(table).where(mine);
      const rows = await page
        .orderBy(...orderBy)
        .limit(limit)
        .offset(offset);
      return answerOf(rows, await db.$count(table, mine));
    };
    return Promise.resolve([list, () => void client.close()]);
  },
  async Kysely(path) {
    const db = new Kysely<{ tasks: Row }>({
      dialect: new SqliteDialect({ database: new Sqlite(path) }),
    });
    const list: List = async (parsed) => {
      const { apply, applyCount } = kyselyAdapter.build(parsed, CONFIG);
      const mine = db.selectFrom('tasks').where('status', '=', MINE);
      const count = await applyCount(mine).executeTakeFirstOrThrow();
      return answerOf(await apply(mine.selectAll()).execute(), count.total);
    };
    return Promise.resolve([list, () => db.destroy()]);
  },
  async Knex(path) {
    const db = createKnex({
      client: 'better-sqlite3',
      connection: { filename: path },
      useNullAsDefault: true,
    });
    const list: List = async (parsed) => {
      const { apply, applyCount } = knexAdapter.build(parsed, CONFIG);
      const mine = () => db<Row>('tasks').where('status', MINE);
      const [count] = await applyCount(mine());
      const rows: Row[] = await apply(mine().select('*'));
      return answerOf(rows, (count as { total?: unknown } | undefined)?.total);
    };
    return Promise.resolve([list, () => db.destroy()]);
  },
  async TypeORM(path) {
    const source = await new DataSource({
      type: 'better-sqlite3',
      database: path,
      entities: [TypeOrmTask],
    }).initialize();
    const tasks = source.getRepository(TypeOrmTask);
    const list: List = async (parsed) => {
      const mine = tasks.createQueryBuilder('task').where('task.status = :mine', { mine: MINE });
      const query = typeOrmAdapter(tasks).build(parsed, NAMES);
      return answerOf(...(await query.applyTo(mine).getManyAndCount()));
    };
    return [list, () => source.destroy()];
  },
  async MikroORM(path) {
    const orm = await MikroORM.init({
      driver: SqliteDriver,
      dbName: path,
      entities: [MikroTask],
    });
    const list: List = async (parsed) => {
      const tasks = orm.em.fork().getRepository<Row>('Task');
      const { where, ...page } = mikroOrmAdapter<Row>(tasks).build(parsed, NAMES);
      return answerOf(...(await tasks.findAndCount({ $and: [{ status: MINE }, where] }, page)));
    };
    return [list, () => orm.close()];
  },
  Mongoose() {
    const documents = ROWS.map(({ id, title, note, status }) => ({ id, title, note, status }));
    const list: List = (parsed) => {
      const { filter } = mongooseAdapter(MongooseTask).build(parsed, NAMES);
      const mine = { $and: [{ status: MINE }, filter] };
      const found = new Query(mine).find<Row>(documents).all();
      return Promise.resolve(answerOf(found, found.length));
    };
    return Promise.resolve([list, () => undefined]);
  },
};

const mine = ROWS.filter((row) => row.status === MINE);

describe('a condition joined to that of an adapter', () => {
  let file: SqliteTable;
  beforeAll(async () => {
    file = await openSqlite();
  });
  afterAll(() => file.close());

  it.each(Object.entries(ADAPTERS))(
    '%s keeps it in the page and in the count',
    async (_, open) => {
      const [list, close] = await open(file.path);
      const wrong: unknown[] = [];
      for (const query of QUERIES) {
        const options = { operators: ['nin', 'isnull'] } as const;
        const parsed = parseQuery({ ...query, limit: '100' }, NAMES, options);
        const { data, total } = memoryAdapter.build(parsed, CONFIG).apply(mine);
        const answer = await list(parsed);
        const sorted = (ids: readonly number[]) => String(ids.toSorted((a, b) => a - b));
        const expected = sorted(data.map((row) => row.id));
        if (sorted(answer.ids) !== expected || answer.total !== total) {
          wrong.push({ query, answer, expected });
        }
      }
      await close();
      expect(mine.length).toBeGreaterThan(5);
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});
