import { InvalidQueryConfigError, parseQuery } from '@fledge/query';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { describe, expect, it } from '@jest/globals';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

/** A config that each of the adapters takes. */
type AnyConfig = Omit<KnexQueryConfig, 'search'>;

const db = new Kysely<Record<string, object>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const COLUMNS = { id: { type: 'integer', nullable: false }, title: 'string' } as const;
const TASKS = {
  columns: { ...COLUMNS, 'author.name': 'string', 'tags.name': 'string' },
  sortable: { ...COLUMNS, 'author.name': 'string' },
  primaryKey: 'id',
  relations: {
    author: { table: 'users', on: { id: 'tasks.author_id' } },
    tags: {
      many: true,
      table: 'tags',
      on: { id: 'task_tags.tag_id' },
      through: { table: 'task_tags', on: { task_id: 'tasks.id' } },
    },
  },
} as const satisfies KyselyQueryConfig;

const sent = (query: object, config: KyselyQueryConfig = TASKS) =>
  kyselyAdapter
    .build(parseQuery(query, config), config)
    .apply(db.selectFrom('tasks').selectAll('tasks'))
    .compile().sql;

describe('the SQL of relations', () => {
  it('has an EXISTS for each filter', () => {
    const filter = ['author.name:eq:Ann', 'tags.name:eq:a', 'tags.name:eq:b'];
    const tags = (n: number) =>
      'exists (select 1 as "one" from "task_tags" as "fledge_tags__through", "tags" as "fledge_tags" ' +
      'where ("fledge_tags__through"."task_id" = "tasks"."id" and ' +
      `"fledge_tags"."id" = "fledge_tags__through"."tag_id" and "fledge_tags"."name" = $${n}))`;
    expect(sent({ filter })).toBe(
      'select "tasks".* from "tasks" where (exists (select 1 as "one" from "users" as "fledge_author" ' +
        'where ("fledge_author"."id" = "tasks"."author_id" and "fledge_author"."name" = $1)) and ' +
        `${tags(2)} and ${tags(3)}) order by "id" asc limit $4 offset $5`,
    );
  });

  it('joins a table for a sort key only, under names of its own', () => {
    const sql = sent({ sort: 'author.name:desc' });
    const [id, name] = [...sql.matchAll(/as "(fledge[a-z]+)"/g)].map(([, as]) => as);
    expect(sql).toBe(
      `select "tasks".* from "tasks" left join (select "id" as "${id}", "name" as "${name}" from "users") ` +
        `as "fledge_author" on "fledge_author"."${id}" = "tasks"."author_id" where 1 = 1 order by ` +
        `"fledge_author"."${name}" desc nulls last, "id" asc limit $1 offset $2`,
    );
  });

  it('takes names of the config, not of the query', () => {
    const filter = ['author.password:eq:x', 'tags.id:eq:1', 'author:eq:1', 'tags.name.x:eq:1'];
    const sort = ['tags.name:asc', 'author.password:asc', 'author:asc'];
    const built = kyselyAdapter.build(parseQuery({ filter, sort }), TASKS);
    expect(built.apply(db.selectFrom('tasks').selectAll('tasks')).compile().sql).toBe(
      'select "tasks".* from "tasks" where 1 = 1 order by "id" asc limit $1 offset $2',
    );
  });

  it('names the columns of a field as its declaration does', () => {
    const config = {
      columns: { tag: { type: 'string', relation: 'tags', name: 'label' } },
      sortable: {},
      relations: TASKS.relations,
    } as const satisfies KyselyQueryConfig;
    expect(sent({ filter: 'tag:eq:a' }, config)).toContain('"fledge_tags"."label" = $1');
  });
});

const author = TASKS.relations.author;

describe('a mistake in relations', () => {
  it.each<[string, object, string]>([
    [
      'an unknown relation',
      { columns: { tag: { type: 'string', relation: 'tag' } }, relations: { author } },
      'Field "tag" has the relation "tag", but `relations` of the query config does not declare it. ' +
        "Declare the relation: relations: { 'tag': { ... } }.",
    ],
    [
      'a relation without the one that it starts from',
      { columns: {}, relations: { 'author.team': { table: 't', on: { id: 'author.team_id' } } } },
      'Relation "author.team" starts from "author", but `relations` of the query config does not declare it.',
    ],
    [
      'a sort key of several rows',
      { columns: { 'tags.name': 'string' }, relations: TASKS.relations },
      'Field "tags.name" is sortable, but a row can have several values for this field, because the relation "tags" is to-many. ' +
        'Set `sortable` to the other fields. By default, every field in `columns` is sortable.',
    ],
    [
      'a sort key behind several rows',
      {
        columns: {},
        sortable: { 'tags.author.name': 'string' },
        relations: { ...TASKS.relations, 'tags.author': { table: 'u', on: { id: 'tags.by' } } },
      },
      'Field "tags.author.name" is sortable',
    ],
    [
      'a primary key of a related row',
      { columns: { 'author.id': 'integer' }, relations: { author }, primaryKey: 'author.id' },
      '`primaryKey` contains "author.id", which is a column of a related row.',
    ],
    [
      'a path that is too deep',
      {
        columns: { 'a.b.c.d.name': 'string' },
        relations: {
          a: author,
          'a.b': { table: 't', on: { id: 'a.x' } },
          'a.b.c': { table: 't', on: { id: 'a.b.x' } },
          'a.b.c.d': { table: 't', on: { id: 'a.b.c.x' } },
        },
      },
      'Column "a.b.c.d.name" is reached through 4 relations. Use columns that are reached through at most 3 relations.',
    ],
  ])('%s is refused at boot', (_, config, fact) => {
    for (const { check } of [memoryAdapter, kyselyAdapter, knexAdapter]) {
      expect(() => check(config as AnyConfig)).toThrow(InvalidQueryConfigError);
      expect(() => check(config as AnyConfig)).toThrow(fact);
    }
  });

  it.each<[string, object, string]>([
    ['no table', { on: { id: 'tasks.author_id' } }, 'Relation "author" has no `table`.'],
    ['no columns', { table: 'users' }, 'Relation "author" has no columns in `on`.'],
    [
      'an ambiguous column',
      { table: 'users', on: { id: 'author_id' } },
      'Relation "author" joins on "author_id", which is not a column in the form table.column. ' +
        "Write 'tasks.author_id' instead.",
    ],
    [
      'a column of another table',
      { table: 't', on: { id: 'tasks.tag_id' }, through: { table: 'l', on: { a: 'tasks.id' } } },
      "Write 'l.tag_id' instead.",
    ],
  ])('%s is refused by adapters that join', (_, relation, fact) => {
    const config = { columns: {}, relations: { author: relation } } as unknown as AnyConfig;
    for (const { check } of [kyselyAdapter, knexAdapter]) {
      expect(() => check(config)).toThrow(InvalidQueryConfigError);
      expect(() => check(config)).toThrow(fact);
    }
  });
});

it('conditions of a search and of an OR on one relation share an EXISTS', () => {
  const count = (query: object) => {
    const columns = { ...TASKS.columns, 'tags.kind': 'string' } as const;
    const config = {
      ...TASKS,
      columns,
      searchColumns: ['title', 'tags.name', 'tags.kind'],
    } as const;
    const parsed = parseQuery(query, config, { where: true });
    const { sql } = kyselyAdapter
      .build(parsed, config)
      .apply(db.selectFrom('tasks').selectAll('tasks'))
      .compile();
    return sql.split('exists (').length - 1;
  };
  expect(count({ where: 'or(tags.name:eq:a,tags.kind:eq:b,title:eq:c)' })).toBe(1);
  expect(count({ q: 'a' })).toBe(1);
  expect(count({ where: 'and(tags.name:eq:a,tags.kind:eq:b)' })).toBe(2);
});
