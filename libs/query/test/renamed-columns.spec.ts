// Pages by cursor in the order of related rows, where a plugin renames columns between rows and database.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DeclaredQueryConfig, InvalidQueryConfigError, parseQuery } from '@fledge/query';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
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
      const page = kyselyAdapter.buildKeyset(parsed, TASKS, {
        secret: SECRET,
        after,
        lookAhead: false,
      });
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
      const page = knexAdapter.buildKeyset(parsed, TASKS, {
        secret: SECRET,
        after,
        lookAhead: false,
      });
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

  it('project leaves the sort key out of whole rows', async () => {
    const query = { sort: 'firstAuthor.fullName:asc', limit: '1' };
    const { rows, project } = await list.page(query);
    expect(rows).toEqual([expect.objectContaining({ id: 2, authorId: 2, dueAt: 'y' })]);
    const keysOf = (row: object) => Object.keys(row).filter((key) => key.includes('fullname'));
    expect(rows.map(keysOf)).toEqual([[expect.stringMatching(/^fledgefullname/)]]);
    expect(rows.map(project).map(keysOf)).toEqual([[]]);
  });
});

const NOTES = [
  'create table notes (id integer primary key, title text, headline text)',
  ...['f', 'e', 'd', 'c', 'b', 'a'].map((title, i) => {
    return `insert into notes values (${i + 1}, '${title}', '${'abcdef'[i]}')`;
  }),
];
const KEY = { name: 'id', type: 'integer', nullable: false } as const;
const HEADLINE = { name: 'headline', type: 'string' } as const;
const RENAMED = { columns: { key: KEY, title: HEADLINE }, primaryKey: 'key' } as const;
const SWAPPED = {
  ...RENAMED,
  columns: { key: KEY, title: HEADLINE, headline: { name: 'title', type: 'string' } },
} as const;
const QUALIFIED = {
  columns: {
    key: { ...KEY, name: 'notes.id' },
    title: { ...HEADLINE, name: 'notes.headline' },
    headline: { ...HEADLINE, name: 'notes.title' },
  },
  selectable: ['title', 'headline'],
  primaryKey: 'key',
} as const;
const SELECTABLE = { ...RENAMED, selectable: ['title'] } as const;
const COMPOSITE = { ...SELECTABLE, primaryKey: ['title', 'key'] } as const;
const ALIASES = ['notes.id as key', 'notes.headline as title'] as const;

type Alias = (typeof ALIASES)[number] | '*';
type ReadNotes = (
  query: object,
  config: DeclaredQueryConfig,
  columns: readonly Alias[],
) => Promise<{ rows: Row[]; cursorOf: (row: object) => string }>;

const file = new Sqlite(':memory:');
for (const sql of NOTES) file.exec(sql);
const kysely = new Kysely<{ notes: { id: number; headline: string } }>({
  dialect: new SqliteDialect({ database: file }),
});

const readKysely: ReadNotes = async ({ after, ...query }: { after?: string }, config, columns) => {
  const parsed = parseQuery(query, config);
  const page = kyselyAdapter.buildKeyset(parsed, config, {
    secret: SECRET,
    after,
    lookAhead: false,
  });
  const from = kysely.selectFrom('notes');
  const aliases = columns.filter((column) => column !== '*');
  const rows: Row[] =
    aliases.length === 0
      ? await page.apply(from.selectAll()).execute()
      : await page.apply(from.select(aliases)).execute();
  return { rows, cursorOf: page.cursorOf };
};

const readKnex: ReadNotes = async ({ after, ...query }: { after?: string }, config, columns) => {
  const db = createKnex({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
  });
  for (const sql of NOTES) await db.raw(sql);
  const parsed = parseQuery(query, config);
  const page = knexAdapter.buildKeyset(parsed, config, { secret: SECRET, after, lookAhead: false });
  const rows: Row[] = await page.apply(db('notes').select(...columns));
  await db.destroy();
  return { rows, cursorOf: page.cursorOf };
};

const readMemory: ReadNotes = ({ after, ...query }: { after?: string }, config) => {
  const parsed = parseQuery(query, config);
  const page = memoryAdapter.buildKeyset(parsed, config, {
    secret: SECRET,
    after,
    lookAhead: false,
  });
  const rows = file.prepare('select * from notes').all() as Row[];
  return Promise.resolve({ rows: page.apply(rows), cursorOf: page.cursorOf });
};

async function walkNotes(read: (after?: string) => ReturnType<ReadNotes>): Promise<string> {
  const walked: unknown[] = [];
  let after: string | undefined;
  do {
    const { rows, cursorOf } = await read(after);
    walked.push(...rows.map((row) => row['key'] ?? row['id']));
    const last = rows.at(-1);
    after = last && cursorOf(last);
  } while (after !== undefined && walked.length < 9);
  return walked.join('');
}

describe('cursors of fields with another name than their column', () => {
  afterAll(() => kysely.destroy());

  const cases: [string, object, DeclaredQueryConfig, readonly Alias[], string][] = [
    ['all columns', {}, RENAMED, ['*'], '123456'],
    [
      'all columns, one with the name of the field',
      { sort: 'title:asc' },
      RENAMED,
      ['*'],
      '123456',
    ],
    ['columns under the names of fields', {}, RENAMED, ALIASES, '123456'],
    ['columns under the names of fields', { sort: 'title:desc' }, RENAMED, ALIASES, '654321'],
    ['fields without the key', { fields: 'title' }, SELECTABLE, ['*'], '123456'],
    ['swapped names', { sort: 'title:asc' }, SWAPPED, ['*'], '123456'],
    ['a composite key', {}, COMPOSITE, ['*'], '123456'],
    ['a composite key under the names of fields', {}, COMPOSITE, ALIASES, '123456'],
    ['fields without a composite key', { fields: 'title' }, COMPOSITE, ['*'], '123456'],
    ['names with the table', {}, QUALIFIED, ALIASES, '123456'],
    ['names with the table, and fields', { fields: 'title' }, QUALIFIED, ALIASES, '123456'],
    [
      'fields with swapped names',
      { fields: 'headline', sort: 'title:asc' },
      QUALIFIED,
      ALIASES,
      '123456',
    ],
  ];
  const adapters: [string, ReadNotes][] = [
    ['Kysely', readKysely],
    ['Knex', readKnex],
    ['memory', readMemory],
  ];
  const runs = adapters.flatMap(([adapter, read]) =>
    cases
      .filter(([, , config, [column]]) => {
        return adapter !== 'memory' || (config !== QUALIFIED && column === '*');
      })
      .map(([name, query, ...rest]) => [adapter, name, query, read, ...rest] as const),
  );

  it.each(runs)('%s: %s, %j', async (_, _name, query, read, config, columns, ids) => {
    const pageAt = (after?: string) => read({ ...query, limit: '2', after }, config, columns);
    expect(await walkNotes(pageAt)).toBe(ids);
  });

  it('name the field and the column if a row has neither', () => {
    const { cursorOf } = kyselyAdapter.buildKeyset(parseQuery({}), RENAMED, { secret: SECRET });
    const message = 'no value of type integer for the sort key "key" (column "id")';
    expect(() => cursorOf({ title: 'a' })).toThrow(message);
  });

  it('are refused if `fields` would sort by another column', () => {
    const config = { ...SWAPPED, selectable: ['headline'] };
    for (const { check } of [kyselyAdapter, knexAdapter]) {
      expect(() => check(config)).toThrow(InvalidQueryConfigError);
      expect(() => check(config)).toThrow(
        'Field "headline" is the column "title", but the column "headline" is another sort key.',
      );
      // A page with a cursor also selects its sort keys.
      expect(() => check({ ...SWAPPED, selectable: ['key'] })).toThrow(
        'Field "title" is the column "headline"',
      );
      const { key, title } = SWAPPED.columns;
      const alone = { ...SWAPPED, sortable: { key, title }, selectable: ['key'] };
      expect(() => check(alone)).not.toThrow();
      expect(() => check(SWAPPED)).not.toThrow();
    }
    expect(() => memoryAdapter.check(config)).not.toThrow();
  });
});
