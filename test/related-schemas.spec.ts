// Related tables are those of the schema and of the tenant that the caller's query reads.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { tenantPlugin } from '@fledge/tenant/kysely';
import type { Tenancy } from '@fledge/tenant';
import Sqlite from 'better-sqlite3';
import createKnex, { type Knex } from 'knex';
import { Kysely, SqliteDialect } from 'kysely';
import { closeAll } from './support/platforms.js';
import { startTenancy } from '../libs/tenant/test/engines/tenancy.js';

const COLUMNS = { id: { type: 'integer', nullable: false }, 'author.name': 'string' } as const;

const TASKS = {
  columns: { ...COLUMNS, 'author.team.name': 'string', 'tags.name': 'string' },
  sortable: COLUMNS,
  searchColumns: ['author.name', 'tags.name'],
  primaryKey: 'id',
  relations: {
    author: { table: 'users', on: { id: 'tasks.author_id' } },
    'author.team': { table: 'teams', on: { id: 'author.team_id' } },
    tags: {
      many: true,
      table: 'tags',
      on: { id: 'task_tags.tag_id' },
      through: { table: 'task_tags', on: { task_id: 'tasks.id' } },
    },
  },
} as const satisfies KyselyQueryConfig & KnexQueryConfig;

/** Queries through a relation, each with the tasks that it finds in a database with these names. */
const FOUND: [query: object, ids: number[]][] = [
  [{ filter: 'author.name:eq:Ann', sort: 'id:asc' }, [1]],
  [{ filter: 'author.team.name:eq:red', sort: 'id:asc' }, [1]],
  [{ filter: 'tags.name:eq:urgent', sort: 'id:asc' }, [2]],
  [{ where: 'not(tags.name:eq:urgent)', sort: 'id:asc' }, [1, 3]],
  [{ q: 'ann', sort: 'id:asc' }, [1]],
  [{ sort: 'author.name:desc' }, [2, 1, 3]],
];

/** Task 1 is Ann's of team red, task 2 is Bob's and urgent, task 3 has no author. */
const NAMES = { users: ['Ann', 'Bob'], teams: ['red', 'blue'], tags: ['urgent', 'late'] };
/** The same rows with other names, which no query may find. */
const OTHER = { users: ['Zoe', 'Adam'], teams: ['blue', 'red'], tags: ['late', 'urgent'] };

function sqlOf(prefix: string, { users, teams, tags }: typeof NAMES): string {
  return `
    create table ${prefix}tasks (id integer primary key, author_id integer);
    create table ${prefix}users (id integer primary key, name text, team_id integer);
    create table ${prefix}teams (id integer primary key, name text);
    create table ${prefix}task_tags (task_id integer, tag_id integer);
    create table ${prefix}tags (id integer primary key, name text);
    insert into ${prefix}tasks values (1, 1), (2, 2), (3, null);
    insert into ${prefix}users values (1, '${users[0]}', 1), (2, '${users[1]}', 2);
    insert into ${prefix}teams values (1, '${teams[0]}'), (2, '${teams[1]}');
    insert into ${prefix}task_tags values (1, 2), (2, 1);
    insert into ${prefix}tags values (1, '${tags[0]}'), (2, '${tags[1]}');`;
}

/** A database with other names outside of its schema `tenant_a`. */
const SCHEMAS = `attach ':memory:' as tenant_a;${sqlOf('', OTHER)}${sqlOf('tenant_a.', NAMES)}`;

interface Row {
  readonly id: number;
}
interface Lists {
  find(query: object): Promise<{ ids: number[]; total: number }>;
  walk(query: object): Promise<number[]>;
  close(): Promise<void>;
}

const OPTIONS = { where: true, cursors: true } as const;
const SECRET = 'of tests alone, and long enough';

/** The ids of all pages of one row, by cursor. */
async function walked(
  query: object,
  page: (query: object, after: string | undefined) => Promise<{ rows: Row[]; next?: string }>,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after: string | undefined, more = true; more && ids.length < 9;) {
    const { rows, next } = await page({ ...query, limit: '1' }, after);
    ids.push(...rows.map(({ id }) => id));
    [after, more] = [next, next !== undefined];
  }
  return ids;
}

function kyselyLists(db: Kysely<Record<'tasks', Row>>): Lists {
  return {
    async find(query) {
      const { apply, applyCount } = kyselyAdapter.build(parseQuery(query, TASKS, OPTIONS), TASKS);
      const rows = await apply(db.selectFrom('tasks').select('tasks.id')).execute();
      const { total } = await applyCount(db.selectFrom('tasks')).executeTakeFirstOrThrow();
      return { ids: rows.map(({ id }) => id), total: Number(total) };
    },
    walk: (wire) =>
      walked(wire, async (query, after) => {
        const parsed = parseQuery(query, TASKS, OPTIONS);
        const page = kyselyAdapter.buildKeyset(parsed, TASKS, {
          secret: SECRET,
          after,
          lookAhead: false,
        });
        const rows = await page.apply(db.selectFrom('tasks').select('tasks.id')).execute();
        return { rows, ...(rows[0] && { next: page.cursorOf(rows[0]) }) };
      }),
    close: () => db.destroy(),
  };
}

async function openKysely(): Promise<Lists> {
  const database = new Sqlite(':memory:');
  database.exec(SCHEMAS);
  const db = new Kysely<Record<'tasks', Row>>({ dialect: new SqliteDialect({ database }) });
  const lists = kyselyLists(db.withSchema('tenant_a'));
  return Promise.resolve({ ...lists, close: () => db.destroy() });
}

async function openKnex(): Promise<Lists> {
  const db = createKnex({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  for (const sql of SCHEMAS.split(';').filter((text) => text.trim())) await db.raw(sql);
  const tasks = (): Knex.QueryBuilder<object, Row[]> => db.withSchema('tenant_a').from('tasks');
  return {
    async find(query) {
      const found = knexAdapter.build(parseQuery(query, TASKS, OPTIONS), TASKS);
      const rows: Row[] = await found.apply(tasks().select('tasks.id'));
      const [count] = await found.applyCount(tasks());
      return { ids: rows.map(({ id }) => id), total: Number(count?.total) };
    },
    walk: (wire) =>
      walked(wire, async (query, after) => {
        const parsed = parseQuery(query, TASKS, OPTIONS);
        const page = knexAdapter.buildKeyset(parsed, TASKS, {
          secret: SECRET,
          after,
          lookAhead: false,
        });
        const rows: Row[] = await page.apply(tasks().select('tasks.id'));
        return { rows, ...(rows[0] && { next: page.cursorOf(rows[0]) }) };
      }),
    close: () => db.destroy(),
  };
}

describe.each([
  ['Kysely', openKysely],
  ['Knex', openKnex],
])('withSchema() of %s reaches related tables', (_, open) => {
  let lists: Lists;
  beforeAll(async () => {
    lists = await open();
  });
  afterAll(() => lists.close());

  it.each(FOUND)('in %j', async (query, ids) => {
    expect(await lists.find(query)).toEqual({ ids, total: ids.length });
    expect(await lists.walk(query)).toEqual(ids);
  });
});

describe('tenantPlugin() guards related tables of Kysely', () => {
  let tenancy: Tenancy;
  let lists: Lists;
  beforeAll(async () => {
    tenancy = await startTenancy();
    const database = new Sqlite(':memory:');
    database.exec(sqlOf('', NAMES));
    const tables = ['tasks', 'users', 'teams', 'task_tags', 'tags'];
    for (const table of tables) {
      database.exec(`alter table ${table} add column tenant_id text`);
      database.exec(`update ${table} set tenant_id = 'a'`);
    }
    // Related to tasks of another tenant.
    database.exec(
      "insert into users values (3, 'Ann', 1, 'b'); insert into tags values (3, 'urgent', 'b')",
    );
    database.exec("insert into tasks values (4, 3, 'a'); insert into task_tags values (4, 3, 'a')");
    const plugins = [tenantPlugin({ tables })];
    lists = kyselyLists(new Kysely({ dialect: new SqliteDialect({ database }), plugins }));
  });
  afterAll(async () => {
    await lists.close();
    await closeAll();
  });

  const OF_TENANT: typeof FOUND = FOUND.map(([query, ids]) => {
    const sees4 = 'where' in query || JSON.stringify(query).includes('desc');
    return [query, sees4 ? [...ids, 4] : ids];
  });
  it.each(OF_TENANT)('in %j', async (query, ids) => {
    expect(await tenancy.run('a', () => lists.find(query))).toEqual({ ids, total: ids.length });
    expect(await tenancy.run('a', () => lists.walk(query))).toEqual(ids);
  });
});
