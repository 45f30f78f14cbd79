// Pages by cursor in the order of related rows, where a plugin renames columns between rows and database.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import Sqlite from 'better-sqlite3';
import createKnex from 'knex';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';

const COLUMNS = {
  id: { type: 'integer', nullable: false },
  'firstAuthor.fullName': 'string',
} as const;
const TASKS = {
  columns: COLUMNS,
  selectable: ['id', 'dueAt'],
  primaryKey: 'id',
  relations: { firstAuthor: { table: 'appUsers', on: { userId: 'appTasks.authorId' } } },
} as const satisfies KyselyQueryConfig & KnexQueryConfig;

const SQL = [
  'create table app_tasks (id integer primary key, author_id integer, due_at text)',
  'create table app_users (user_id integer primary key, full_name text)',
  "insert into app_tasks values (1, 1, 'x'), (2, 2, 'y'), (3, null, 'z'), (4, 1, 'x')",
  "insert into app_users values (1, 'Zoe'), (2, 'Ann')",
];
const SECRET = 'of tests alone, and long enough';
type Row = Record<string, unknown>;
interface Page {
  readonly rows: Row[];
  readonly cursorOf: (row: object) => string;
  readonly project: (row: Row) => object;
}
interface List {
  page(query: object, after?: string): Promise<Page>;
  close(): Promise<void>;
}

function openKysely(): Promise<List> {
  const database = new Sqlite(':memory:');
  for (const sql of SQL) database.exec(sql);
  const dialect = new SqliteDialect({ database });
  const db = new Kysely<Record<string, Row>>({ dialect, plugins: [new CamelCasePlugin()] });
  return Promise.resolve({
    async page(query, after) {
      const parsed = parseQuery(query, TASKS);
      const page = kyselyAdapter.buildKeyset(parsed, TASKS, { secret: SECRET, after });
      const rows = await page.apply(db.selectFrom('appTasks').selectAll('appTasks')).execute();
      return { rows, ...page, project: page.project };
    },
    close: () => db.destroy(),
  });
}

const snaked = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const cameled = (name: string) =>
  name.replace(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase());
const renamed = (row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [cameled(name), value]));

async function openKnex(columns: string[]): Promise<List> {
  const db = createKnex({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    wrapIdentifier: (name, wrap) => wrap(snaked(name)),
    postProcessResponse: (found: unknown) =>
      Array.isArray(found) ? found.map((row) => renamed(row as Row)) : found,
  });
  for (const sql of SQL) await db.raw(sql);
  return {
    async page(query, after) {
      const parsed = parseQuery(query, TASKS);
      const page = knexAdapter.buildKeyset(parsed, TASKS, { secret: SECRET, after });
      const rows: Row[] = await page.apply(db('appTasks').select(...columns));
      return { rows, ...page, project: page.project };
    },
    close: () => db.destroy(),
  };
}

describe.each([
  ['CamelCasePlugin of Kysely', openKysely],
  ['wrapIdentifier of Knex', () => openKnex(['appTasks.*'])],
  ['wrapIdentifier of Knex, without a list of columns', () => openKnex([])],
])('with %s', (_, open) => {
  let list: List;
  beforeAll(async () => {
    list = await open();
  });
  afterAll(() => list.close());

  it.each([
    ['asc', [2, 1, 4, 3]],
    ['desc', [1, 4, 2, 3]],
  ])('a cursor holds the sort key of the related row, %s', async (direction, ids) => {
    const query = { sort: `firstAuthor.fullName:${direction}`, limit: '1' };
    const walked: unknown[] = [];
    let after: string | undefined;
    do {
      const { rows, cursorOf } = await list.page(query, after);
      walked.push(...rows.map(({ id }) => id));
      after = rows[0] && cursorOf(rows[0]);
    } while (after !== undefined && walked.length < 9);
    expect(walked).toEqual(ids);
  });

  it('project leaves the sort key out', async () => {
    const query = { sort: 'firstAuthor.fullName:asc', fields: 'dueAt', limit: '1' };
    const { rows, project } = await list.page(query);
    expect(rows.map(project)).toEqual([{ id: 2, dueAt: 'y' }]);
  });
});
