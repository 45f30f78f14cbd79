import { InvalidQueryConfigError, parseQuery } from '@fledge/query';
import {
  cappedCount,
  estimatedCount,
  mikroOrmAdapter,
  type MikroOrmQueryConfig,
  type MikroOrmSummarySource,
} from '@fledge/query/mikro-orm';
import { type EntityManager, EntitySchema, MikroORM, type Options } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryAdapter } from '../src/memory/index.js';
import { pageOf } from './support/cursors.js';
import { createSchema, SqliteDriver } from './support/mikro-sqlite.js';
import { describeRelations } from './support/related.js';
import {
  relatedPaths,
  RELATED_CONFIG,
  RELATED_TASKS,
  type Row,
  type TableName,
} from './support/related-rows.js';
import { openRelated, type RelatedPlace } from './support/related-tables.js';

const CONFIG: MikroOrmQueryConfig = relatedPaths();

function entities(named: RelatedPlace['named']): EntitySchema[] {
  // MikroORM 7 takes no names.
  const schemas = new Map<TableName, EntitySchema>();
  const text = { type: 'text', nullable: true };
  const number = { type: 'integer', nullable: true };
  const one = (entity: TableName, column: string) => ({
    kind: 'm:1',
    entity: () => schemas.get(entity),
    fieldName: column,
    nullable: true,
  });
  const many = (entity: TableName, mappedBy: string) => ({
    kind: '1:m',
    entity: () => schemas.get(entity),
    mappedBy,
  });
  const entity = (table: TableName, properties: object) => {
    const schema = new EntitySchema({
      name: table,
      tableName: named(table),
      properties: { id: { type: 'integer', primary: true }, ...properties },
    } as never);
    schemas.set(table, schema);
    return schema;
  };
  return [
    entity('teams', { name: text }),
    entity('people', {
      name: text,
      age: number,
      team: one('teams', 'team_id'),
      skills: many('skills', 'person'),
    }),
    entity('skills', { name: text, person: one('people', 'person_id') }),
    entity('tasks', {
      title: text,
      rank: number,
      owner: one('people', 'owner_id'),
      comments: many('comments', 'task'),
      tags: {
        kind: 'm:n',
        entity: () => schemas.get('tags'),
        pivotTable: named('task_tags'),
        joinColumn: 'task_id',
        inverseJoinColumn: 'tag_id',
        fixedOrder: false,
      },
    }),
    entity('tags', { name: text, weight: number }),
    entity('comments', {
      body: text,
      task: one('tasks', 'task_id'),
      author: one('people', 'author_id'),
      marks: many('marks', 'comment'),
    }),
    entity('marks', { name: text, comment: one('comments', 'comment_id') }),
  ];
}

async function open(dialect: 'sqlite' | 'postgres') {
  const place = await openRelated(dialect);
  if (!place) return undefined;
  const { url, named } = place;
  const options: Options =
    dialect === 'sqlite'
      ? { driver: SqliteDriver, dbName: url }
      : { driver: PostgreSqlDriver, clientUrl: url };
  const orm = await MikroORM.init({ ...options, entities: entities(named) });
  return {
    tasks: () => orm.em.fork().getRepository<Row>('tasks'),
    close: () => orm.close().then(() => place.close()),
  };
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  describeRelations(`MikroORM on ${dialect}`, async () => {
    const opened = await open(dialect);
    if (!opened) return undefined;
    const { tasks, close } = opened;
    return {
      async find(parsed) {
        const repository = tasks();
        const { where, ...page } = mikroOrmAdapter(repository).build(parsed, CONFIG);
        const [rows, total] = await repository.findAndCount(where, page);
        return { ids: rows.map(({ id }) => id), total };
      },
      async page(parsed, options) {
        const repository = tasks();
        const query = mikroOrmAdapter(repository).buildKeyset(parsed, CONFIG, options);
        const { where, cursorOf, ...page } = query;
        const populate = ['owner.team'] as never;
        return pageOf(await repository.find(where, { ...page, populate }), cursorOf);
      },
      close,
    };
  });
}

describe('relations of MikroORM', () => {
  let opened: Exclude<Awaited<ReturnType<typeof open>>, undefined>;
  beforeAll(async () => {
    opened = (await open('sqlite')) as typeof opened;
  });
  afterAll(() => opened.close());

  it('stay whole in rows found through them', async () => {
    const tasks = opened.tasks();
    const populate = ['tags', 'owner'] as never;
    const tagsOf = (rows: readonly Row[]) =>
      rows.map(({ id, tags }) => [id, (tags as unknown as { length: number }).length]);
    const all = new Map(tagsOf(await opened.tasks().findAll({ populate })) as [number, number][]);
    const wire = { filter: ['tags.name:eq:ann', 'owner.age:gt:20'], sort: 'owner.name:desc' };
    const { where, ...page } = mikroOrmAdapter(tasks).build(parseQuery(wire), CONFIG);
    const found = tagsOf(await tasks.find(where, { ...page, populate }));
    expect(found.some(([, count = 0]) => count > 1)).toBe(true);
    expect(found).toEqual(found.map(([id = 0]) => [id, all.get(id)]));
  });

  it('put rows without the related row first with nulls: first', async () => {
    const tasks = opened.tasks();
    const nulls = 'first';
    for (const sort of ['owner.name:asc', 'owner.name:desc']) {
      const parsed = parseQuery({ sort, limit: '100' });
      const { comparator } = memoryAdapter.build(parsed, { ...RELATED_CONFIG, nulls });
      const { where, ...page } = mikroOrmAdapter(tasks).build(parsed, { ...CONFIG, nulls });
      const found = await tasks.find(where, page);
      const wanted = RELATED_TASKS.toSorted(comparator);
      expect(wanted[0]).toHaveProperty('owner', null);
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    }
  });

  it('are read as sort keys beside the fields that were asked for, and cut', async () => {
    const config = { ...CONFIG, selectable: ['title'] } as const;
    const parsed = parseQuery({ fields: 'title', sort: 'owner.name:asc', limit: '40' }, config);
    const tasks = opened.tasks();
    const query = mikroOrmAdapter(tasks).buildKeyset(parsed, config, { secret: SECRET });
    const { where, cursorOf, project, ...page } = query;
    const rows = await tasks.find(where, { ...page, populate: ['owner'] as never });
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map((row) => cursorOf(row as Row))).size).toBe(40);
    expect(rows.map((row) => project(row as Row))).toEqual(
      rows.map(({ id, title }) => ({ id, title })),
    );
  });

  it('refuse cursors of rows whose related row is not loaded', async () => {
    const tasks = opened.tasks();
    const parsed = parseQuery({ sort: 'owner.name:asc' });
    const query = mikroOrmAdapter(tasks).buildKeyset(parsed, CONFIG, { secret: SECRET });
    const { where, cursorOf, ...page } = query;
    const [first] = await tasks.find(where, { ...page, limit: 1 });
    expect(() => cursorOf(first as Row)).toThrow(InvalidQueryConfigError);
    expect(() => cursorOf(first as Row)).toThrow(
      'A row has no value of type string for the sort key "owner.name"',
    );
  });

  it('read the key of a related row that is not loaded', async () => {
    const parsed = parseQuery({ sort: 'owner.id:desc', limit: '100' });
    const loaded = opened.tasks();
    const query = mikroOrmAdapter(loaded).buildKeyset(parsed, CONFIG, { secret: SECRET });
    const { where, cursorOf, ...page } = query;
    const wanted = await loaded.find(where, { ...page, populate: ['owner'] as never });
    const rows = await opened.tasks().find(where, page);
    expect(rows.map(cursorOf)).toEqual(wanted.map((row) => cursorOf(row as Row)));
  });

  it.each<[MikroOrmQueryConfig, string]>([
    [{ filterable: ['owner'] }, '"owner" is not a column of entity tasks.'],
    [{ filterable: ['owner.nme'] }, '"owner.nme" is not a column of entity tasks.'],
    [
      { sortable: ['tags.name'] },
      'Field "tags.name" is sortable, but a row can have several values',
    ],
    [{ sortable: ['owner.skills.name'] }, 'the relation "owner.skills" is to-many.'],
    [{ filterable: ['comments.task.comments.task.title'] }, 'is reached through 4 relations.'],
    [{ filterable: [], relations: {} } as object, 'but the adapter reads relations'],
  ])('%j is refused at boot', (config, fact) => {
    const { check } = mikroOrmAdapter(opened.tasks());
    expect(() => check(config)).toThrow(InvalidQueryConfigError);
    expect(() => check(config)).toThrow(fact);
  });
});

describe('default filters of MikroORM', () => {
  let orm: MikroORM;
  const soft = { soft: { name: 'soft', cond: { deleted: false }, default: true } };
  const own = {
    own: {
      name: 'own',
      cond: ({ tenant }: { tenant: string }) => ({ tenant }),
      default: true,
    },
  };
  // MikroORM applies this filter without filter parameters, because of `args`.
  const cond = (_args: unknown, _type: unknown) => ({ deleted: false });
  const unasked = { soft: { name: 'soft', cond, args: false, default: true } };
  const NOTE = new EntitySchema<object>({
    name: 'Note',
    filters: { ...unasked, ...own },
    properties: {
      id: { type: 'integer', primary: true },
      text: { type: 'string' },
      tenant: { type: 'string' },
      deleted: { type: 'boolean' },
      page: { kind: 'm:1', entity: () => PAGE },
      author: { kind: 'm:1', entity: () => AUTHOR },
    },
  });
  const AUTHOR = new EntitySchema<object>({
    name: 'Author',
    filters: soft,
    properties: {
      id: { type: 'integer', primary: true },
      name: { type: 'string' },
      deleted: { type: 'boolean' },
    },
  });
  const PAGE = new EntitySchema<Row>({
    name: 'Page',
    properties: {
      id: { type: 'integer', primary: true },
      notes: { kind: '1:m', entity: () => NOTE, mappedBy: 'page' },
      author: { kind: 'm:1', entity: () => AUTHOR },
      editor: { kind: 'm:1', entity: () => AUTHOR, nullable: true },
    },
  } as never);
  beforeAll(async () => {
    const entities = [NOTE, PAGE, AUTHOR];
    orm = await MikroORM.init({ driver: SqliteDriver, dbName: ':memory:', entities });
    await createSchema(orm);
    const em = orm.em.fork();
    em.create('Author', { id: 1, name: 'Ann', deleted: false } as never);
    em.create('Author', { id: 2, name: 'Bob', deleted: true } as never);
    const pages = [
      { id: 1, author: 1, editor: 1 },
      { id: 2, author: 1, editor: 2 },
      { id: 3, author: 2, editor: 1 },
    ];
    for (const page of pages) em.create('Page', page as never);
    const notes = [
      { id: 1, page: 1, author: 1, tenant: 'a', deleted: true },
      { id: 2, page: 2, author: 1, tenant: 'a', deleted: false },
      { id: 3, page: 3, author: 1, tenant: 'b', deleted: false },
      { id: 4, page: 2, author: 2, tenant: 'a', deleted: false },
    ];
    await em.flush();
    for (const note of notes) em.create('Note', { text: 'secret', ...note } as never);
    await em.flush();
  });
  afterAll(() => orm.close(true));

  it.each([
    // The author is required, so MikroORM also hides page 3.
    [{}, [1, 2]],
    [{ filter: 'author.name:contains:b' }, []],
    [{ filter: 'notes.text:eq:secret' }, [2]],
    [{ where: 'not(notes.text:eq:secret)' }, [1]],
    [{ q: 'secret' }, [2]],
    [{ filter: 'editor.name:contains:b' }, []],
    [{ where: 'or(editor.name:eq:Bob,editor.name:eq:Ann)' }, [1]],
    [{ where: 'not(editor.name:eq:Ann)' }, []],
    [{ filter: 'notes.author.name:eq:Ann' }, [2]],
    [{ filter: 'notes.author.name:eq:Bob' }, []],
  ])('hide related rows from %j', async (query, ids) => {
    const em = orm.em.fork();
    em.setFilterParams('own', { tenant: 'a' });
    const pages = em.getRepository<Row>('Page');
    const config = {
      filterable: ['notes.text', 'author.name', 'editor.name', 'notes.author.name'],
      sortable: ['id'],
      searchable: ['notes.text'],
      aggregatable: ['id'],
    };
    const parsed = parseQuery({ ...query, aggregate: 'count' }, config, { where: true });
    const adapter = mikroOrmAdapter(pages);
    const found = adapter.build(parsed, config);
    const { where, ...page } = found;
    const [rows, total] = await pages.findAndCount(where, page);
    expect([rows.map(({ id }) => id), total]).toEqual([ids, ids.length]);
    expect(Number((await cappedCount(pages, found, 10)).counted)).toBe(ids.length);
    const counted = (em as unknown as QueryBuilders).createQueryBuilder('Page');
    const { aggregates } = await adapter.summarize(parsed, config, counted);
    expect(aggregates?.groups).toEqual([{ group: {}, count: ids.length }]);
  });

  const SORTED = { sortable: ['author.id', 'editor.id', 'editor.name'] };
  const walk = async (sort: string) => {
    const parsed = parseQuery({ sort, limit: '1' }, SORTED);
    const seen: number[] = [];
    for (let after: string | undefined, more = true; more;) {
      const pages = orm.em.fork().getRepository<Row>('Page');
      const query = mikroOrmAdapter(pages).buildKeyset(parsed, SORTED, { secret: SECRET, after });
      const { where, cursorOf, ...page } = query;
      const populate = ['author', 'editor'] as never;
      const [row, next] = await pages.find(where, { ...page, populate });
      seen.push((row as Row).id);
      after = cursorOf(row as Row);
      more = next !== undefined;
    }
    return seen;
  };

  it('refuse cursors by the key of a related row that they may hide', async () => {
    const problem = { kind: 'sort', field: 'editor.id', reason: 'not-expressible' };
    await expect(walk('editor.id:asc')).rejects.toMatchObject({ errors: [problem] });
    expect(await walk('editor.name:asc')).toEqual([1, 2]);
    // The author is required, so MikroORM hides the whole page.
    expect(await walk('author.id:desc')).toEqual([1, 2]);
  });
});

describe('filters of em.addFilter()', () => {
  const AUTHOR = new EntitySchema<object>({
    name: 'Writer',
    properties: { id: { type: 'integer', primary: true }, tenant: { type: 'string' } },
  });
  const PAGE = new EntitySchema<Row>({
    name: 'Draft',
    properties: {
      id: { type: 'integer', primary: true },
      author: { kind: 'm:1', entity: () => AUTHOR },
      editor: { kind: 'm:1', entity: () => AUTHOR, nullable: true },
    },
  } as never);
  const config = { filterable: ['id'], facetable: ['author.tenant', 'editor.tenant'] };
  const parsed = parseQuery({ facets: 'author.tenant,editor.tenant' }, config);
  let orm: MikroORM;
  beforeAll(async () => {
    const options = { driver: SqliteDriver, dbName: ':memory:', entities: [AUTHOR, PAGE] };
    orm = await MikroORM.init(options as unknown as Options);
    await createSchema(orm);
    const em = orm.em.fork();
    em.create('Writer', { id: 1, tenant: 'a' } as never);
    em.create('Writer', { id: 2, tenant: 'b' } as never);
    em.create('Draft', { id: 1, author: 1, editor: 2 } as never);
    em.create('Draft', { id: 2, author: 2, editor: 1 } as never);
    await em.flush();
  });
  afterAll(() => orm.close(true));

  it.each([
    ['an object', { tenant: 'a' }],
    ['a promise', () => Promise.resolve({ tenant: 'a' })],
    ['parameters', ({ tenant }: { tenant: string }) => ({ tenant })],
  ])('hide related rows from summaries and counts: %s', async (_, cond) => {
    const em = orm.em.fork();
    addFilter(em, { name: 'mine', cond, entity: ['Writer'], default: true });
    em.setFilterParams('mine', { tenant: 'a' });
    const drafts = em.getRepository<Row>('Draft');
    const adapter = mikroOrmAdapter(drafts);
    const found = adapter.build(parsed, config);
    const rows = await drafts.find(found.where);
    expect(rows.map(({ id }) => id)).toEqual([1]);
    expect(await cappedCount(drafts, found, 10)).toMatchObject({ counted: 1 });
    expect(await estimatedCount(drafts, found, 10)).toMatchObject({ total: 1 });
    const builder = (em as unknown as QueryBuilders).createQueryBuilder('Draft');
    expect((await adapter.summarize(parsed, config, builder)).facets).toMatchObject({
      'author.tenant': { groups: [{ value: 'a', count: 1 }] },
      'editor.tenant': { groups: [{ value: null, count: 1 }] },
    });
  });
});

/** MikroORM 7 takes an object instead of four arguments. */
function addFilter(
  em: EntityManager,
  filter: { name: string; cond: unknown; entity: string[]; default: boolean },
): void {
  const { name, cond, entity } = filter;
  const add = em.addFilter.bind(em) as (...given: unknown[]) => void;
  if (em.addFilter.length === 1) add(filter);
  else add(name, cond, entity, filter.default);
}

/** The entity manager of SQL drivers. */
interface QueryBuilders {
  createQueryBuilder(entity: string): MikroOrmSummarySource;
}

const SECRET = 'of tests alone, and long enough';
