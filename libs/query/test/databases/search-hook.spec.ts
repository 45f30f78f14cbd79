// Needs PostgreSQL.
// `search` of a config: full text of PostgreSQL by each SQL adapter, with counts and cursors, and functions elsewhere.
import { InvalidQueryConfigError, InvalidQueryError, parseQuery } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { prismaAdapter } from '@fledge/query/prisma';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntitySchema as MikroSchema, MikroORM, raw } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import createKnex from 'knex';
import { Kysely, PostgresDialect, sql, type SqlBool } from 'kysely';
import { aggregate } from 'mingo';
import mongoose from 'mongoose';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { openPostgres } from '../support/databases.js';
import { uniqueName } from '../support/walk-tables.js';

interface Note {
  id: number;
  title: string;
  body: string | null;
  kind: string;
}
const NOTES: Note[] = [
  { id: 1, title: 'The dog runs', body: null, kind: 'a' },
  { id: 2, title: 'Cats sleep', body: 'Dogs were running', kind: 'a' },
  { id: 3, title: 'Running late', body: 'no animals', kind: 'a' },
  { id: 4, title: 'A running dog', body: null, kind: 'b' },
  { id: 5, title: 'Dogs run', body: null, kind: 'a' },
];
const WIRE = { filter: 'kind:eq:a', sort: 'id:desc', q: 'running dogs' };
/** By the stems of both words, in the title or in the body: no LIKE finds these. */
const FOUND = [5, 2, 1];
const secret = 'of tests alone, and long enough';
const table = uniqueName();
const COLUMNS = {
  id: { type: 'integer', nullable: false },
  title: 'string',
  kind: 'string',
} as const;
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

let url: string | undefined;
let place: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
  place = await openPostgres();
  if (!place) return;
  url = place.url;
  await place.pool.query(
    `create table ${table} (id int primary key, title text not null, body text, kind text not null)`,
  );
  for (const { id, title, body, kind } of NOTES) {
    await place.pool.query(`insert into ${table} values ($1, $2, $3, $4)`, [id, title, body, kind]);
  }
});
afterAll(async () => {
  await place?.pool.query(`drop table ${table}`);
  await place?.close();
});

/** A page with its total, and the pages by cursor of one row each. */
async function expectFound(
  list: () => Promise<{ ids: number[]; total: number }>,
  page: (after: string | undefined) => Promise<{ ids: number[]; next: string | undefined }>,
): Promise<void> {
  expect(await list()).toEqual({ ids: FOUND, total: FOUND.length });
  const walked: number[] = [];
  let after: string | undefined;
  do {
    const { ids, next } = await page(after);
    walked.push(...ids);
    after = next;
  } while (after !== undefined && walked.length <= NOTES.length);
  expect(walked).toEqual(FOUND);
}

function pageOf<Row extends { id: number }>(rows: readonly Row[], cursorOf: (row: Row) => string) {
  const last = rows.at(-1);
  return { ids: idsOf(rows), next: last && cursorOf(last) };
}

const VECTOR = `to_tsvector('english'`;
const QUERY = `plainto_tsquery('english'`;

describe('search of a config, by full text of PostgreSQL', () => {
  it('in Drizzle', async () => {
    if (url === undefined) return;
    const notes = pgTable(table, {
      id: integer().primaryKey(),
      title: text().notNull(),
      body: text(),
      kind: text().notNull(),
    });
    const pool = new pg.Pool({ connectionString: url });
    const db = drizzle({ client: pool });
    const config = {
      columns: { id: notes.id, kind: notes.kind },
      search: (q: string) =>
        drizzleSql`to_tsvector('english', ${notes.title}) @@ plainto_tsquery('english', ${q})
          or to_tsvector('english', ${notes.body}) @@ plainto_tsquery('english', ${q})`,
    };
    const parsed = parseQuery(WIRE, config);
    await expectFound(
      async () => {
        const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, config);
        const page = db
          .select()
          .from(notes)
          .where(where)
          .orderBy(...orderBy);
        const rows = await page.limit(limit).offset(offset);
        return { ids: idsOf(rows), total: await db.$count(notes, where) };
      },
      async (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' }, config);
        const found = drizzleAdapter.buildKeyset(one, config, { secret, after });
        const page = db
          .select()
          .from(notes)
          .where(found.where)
          .orderBy(...found.orderBy);
        return pageOf(await page.limit(found.limit), found.cursorOf);
      },
    ).finally(() => pool.end());
  });

  it('in Kysely', async () => {
    if (url === undefined) return;
    const pool = new pg.Pool({ connectionString: url });
    const db = new Kysely<Record<string, Note>>({ dialect: new PostgresDialect({ pool }) });
    const config = {
      columns: COLUMNS,
      primaryKey: 'id',
      search: (q: string) =>
        sql<SqlBool>`to_tsvector('english', title) @@ plainto_tsquery('english', ${q})
          or to_tsvector('english', body) @@ plainto_tsquery('english', ${q})`,
    } as const;
    await expectFound(
      async () => {
        const query = kyselyAdapter.build(parseQuery(WIRE, config), config);
        const rows = await query.apply(db.selectFrom(table).selectAll()).execute();
        const { total } = await query.applyCount(db.selectFrom(table)).executeTakeFirstOrThrow();
        return { ids: idsOf(rows), total: Number(total) };
      },
      async (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' }, config);
        const query = kyselyAdapter.buildKeyset(one, config, { secret, after });
        const rows = await query.apply(db.selectFrom(table).selectAll()).execute();
        return pageOf(rows, query.cursorOf);
      },
    ).finally(() => db.destroy());
  });

  it('in Knex', async () => {
    if (url === undefined) return;
    const db = createKnex({ client: 'pg', connection: url });
    const config = {
      columns: COLUMNS,
      primaryKey: 'id',
      search: (q: string) => (qb: createKnex.Knex.QueryBuilder) =>
        void qb
          .whereRaw(`${VECTOR}, title) @@ ${QUERY}, ?)`, [q])
          .orWhereRaw(`${VECTOR}, body) @@ ${QUERY}, ?)`, [q]),
    } as const;
    await expectFound(
      async () => {
        const query = knexAdapter.build(parseQuery(WIRE, config), config);
        const rows: Note[] = await query.apply(db(table).select('*'));
        const [count] = await query.applyCount(db(table));
        return { ids: idsOf(rows), total: Number(count?.total) };
      },
      async (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' }, config);
        const query = knexAdapter.buildKeyset(one, config, { secret, after });
        const rows: Note[] = await query.apply(db(table).select('*'));
        return pageOf(rows, query.cursorOf);
      },
    ).finally(() => db.destroy());
  });

  it('in TypeORM, by a builder with parameters of the same names and by find', async () => {
    if (url === undefined) return;
    const entity = new EntitySchema<Note>({
      name: 'Note',
      tableName: table,
      columns: {
        id: { type: Number, primary: true },
        title: { type: 'text' },
        body: { type: 'text', nullable: true },
        kind: { type: 'text' },
      },
    });
    const source = new DataSource({ type: 'postgres', url, entities: [entity] });
    const notes = (await source.initialize()).getRepository(entity);
    const adapter = typeOrmAdapter(notes);
    const config = {
      filterable: ['kind'],
      sortable: ['id'],
      search: (q: string) => ({
        sql: (note: string) =>
          `${VECTOR}, ${note}.title) @@ ${QUERY}, :q) or ${VECTOR}, ${note}.body) @@ ${QUERY}, :q::text)`,
        parameters: { q },
      }),
    } as const;
    const builder = () => notes.createQueryBuilder('n').where('n.id < :q or n.id = 5', { q: 5 });
    await expectFound(
      async () => {
        const query = adapter.build(parseQuery(WIRE, config), config);
        const [rows, total] = await query.applyTo(builder()).getManyAndCount();
        const [found, count] = await notes.findAndCount(query);
        expect([idsOf(found), count]).toEqual([idsOf(rows), total]);
        return { ids: idsOf(rows), total };
      },
      async (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' }, config);
        const query = adapter.buildKeyset(one, config, { secret, after });
        return pageOf(await query.applyTo(builder()).getMany(), query.cursorOf);
      },
    ).finally(() => source.destroy());
  });

  it('in MikroORM', async () => {
    if (url === undefined) return;
    const entity = new MikroSchema<Note>({
      name: 'Note',
      tableName: table,
      properties: {
        id: { type: 'integer', primary: true },
        title: { type: 'text' },
        body: { type: 'text', nullable: true },
        kind: { type: 'text' },
      },
    });
    const orm = await MikroORM.init({
      driver: PostgreSqlDriver,
      clientUrl: url,
      entities: [entity],
    });
    const notes = () => orm.em.fork().getRepository<Note>('Note');
    const matches = (column: string, q: string) => ({
      [raw((alias) => `${VECTOR}, ${alias}.${column}) @@ ${QUERY}, ?)`, [q])]: [],
    });
    const config = {
      filterable: ['kind'],
      sortable: ['id'],
      search: (q: string) => ({ $or: [matches('title', q), matches('body', q)] }),
    };
    await expectFound(
      async () => {
        const { where, ...page } = mikroOrmAdapter<Note>(notes()).build(parseQuery(WIRE), config);
        const [rows, total] = await notes().findAndCount(where, page);
        return { ids: idsOf(rows), total };
      },
      async (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' });
        const query = mikroOrmAdapter<Note>(notes()).buildKeyset(one, config, { secret, after });
        const { where, cursorOf, ...page } = query;
        return pageOf(await notes().find(where, page), cursorOf);
      },
    ).finally(() => orm.close());
  });
});

const words = (q: string) => q.split(' ').map((word) => word.slice(0, 3));
const MEMORY = {
  columns: COLUMNS,
  primaryKey: 'id',
  search: (q: string) => {
    const stems = words(q);
    return ({ title, body }: Note) =>
      [title, body ?? ''].some((part) => stems.every((stem) => part.toLowerCase().includes(stem)));
  },
};

describe('search of a config, without SQL', () => {
  it('is a predicate for rows in memory', async () => {
    await expectFound(
      () => {
        const { data, total } = memoryAdapter.build(parseQuery(WIRE, MEMORY), MEMORY).apply(NOTES);
        return Promise.resolve({ ids: idsOf(data), total });
      },
      (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' }, MEMORY);
        const { apply, cursorOf } = memoryAdapter.buildKeyset(one, MEMORY, { secret, after });
        return Promise.resolve(pageOf(apply(NOTES), cursorOf));
      },
    );
  });

  it('is a filter for Mongoose', async () => {
    const schema = new mongoose.Schema({
      _id: mongoose.Schema.Types.Int32,
      id: { type: mongoose.Schema.Types.Int32, required: true },
      kind: String,
    });
    const adapter = mongooseAdapter(new mongoose.Mongoose().model('Note', schema));
    const every = (field: string, q: string) => ({
      $and: words(q).map((stem) => ({ [field]: { $regex: stem, $options: 'i' } })),
    });
    const config = {
      filterable: ['kind'],
      sortable: ['id'],
      search: (q: string) => ({ $or: [every('title', q), every('body', q)] }),
    };
    const documents = NOTES.map((note) => ({ ...note, _id: note.id }));
    const run = (pipeline: unknown) => aggregate(documents, pipeline as never) as unknown as Note[];
    await expectFound(
      () => {
        const { filter, pipeline } = adapter.build(parseQuery(WIRE), config);
        const total = run([{ $match: filter }]).length;
        return Promise.resolve({ ids: idsOf(run(pipeline)), total });
      },
      (after) => {
        const one = parseQuery({ ...WIRE, limit: '1' });
        const { pipeline, cursorOf } = adapter.buildKeyset(one, config, { secret, after });
        return Promise.resolve(pageOf(run(pipeline), cursorOf));
      },
    );
  });

  it('is a part of where and of the count for Prisma', () => {
    const config = {
      columns: COLUMNS,
      primaryKey: 'id',
      provider: 'postgresql',
      search: (q: string) => ({ title: { search: q.replaceAll(' ', ' & ') } }),
    } as const;
    const { where, count } = prismaAdapter.build(parseQuery(WIRE, config), config);
    expect(where).toEqual({
      AND: [{ kind: { equals: 'a' } }, { title: { search: 'running & dogs' } }],
    });
    expect(count).toEqual({ where });
  });
});

describe('the search hook', () => {
  const withHook = (search: (q: string) => (row: Note) => boolean) => ({ ...MEMORY, search });
  const find = (q: string, search: (q: string) => (row: Note) => boolean) => {
    const config = withHook(search);
    return idsOf(memoryAdapter.build(parseQuery({ q }, config), config).apply(NOTES).data);
  };
  const never = () => {
    throw new Error('called');
  };

  it('is not called without q', () => {
    expect(find('', never)).toEqual([1, 2, 3, 4, 5]);
    expect(() => find('x', never)).toThrow('called');
  });

  it('is not called with U+0000, which is the error of the client', () => {
    expect(() => find('a\0b', never)).toThrow(InvalidQueryError);
  });

  it('throws its own errors, and one for a missing condition', () => {
    const mistake = new TypeError('of the developer');
    const fails = () => {
      throw mistake;
    };
    expect(() => find('x', fails)).toThrow(mistake);
    const none = (() => undefined) as never;
    expect(() => find('x', none)).toThrow(InvalidQueryConfigError);
    expect(() => find('x', none)).toThrow(
      'The function `search` of a query config returned no condition.',
    );
  });

  it('is refused at boot beside searched columns', () => {
    const both = { ...MEMORY, searchColumns: ['title'] };
    const fact = 'A query config contains `search` and `searchColumns`. Remove one of the two.';
    expect(() => memoryAdapter.check({ ...both, search: undefined })).not.toThrow();
    expect(() => memoryAdapter.check(both)).toThrow(fact);
    expect(() => parseQuery({}, both)).toThrow(fact);
    expect(() => parseQuery({}, { searchable: ['title'], search: never } as object)).toThrow(
      'A query config contains `search` and `searchable`.',
    );
    expect(() => memoryAdapter.check({ ...MEMORY, search: 'title' as never })).toThrow(
      '`search` of a query config is not a function.',
    );
  });
});
