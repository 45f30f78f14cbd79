import { InvalidQueryConfigError, InvalidQueryError, parseQuery } from '@fledge/query';
import { typeOrmAdapter, type TypeOrmQueryConfig } from '@fledge/query/typeorm';
import { describe, expect, it } from '@jest/globals';
import {
  DataSource,
  type DataSourceOptions,
  EntitySchema,
  type EntitySchemaRelationOptions,
  type Repository,
} from 'typeorm';
import { memoryAdapter } from '../src/memory/index.js';
import { pageOf } from './support/cursors.js';
import { describeRelations, type RelatedEngine } from './support/related.js';
import {
  relatedPaths,
  RELATED_CONFIG,
  RELATED_TASKS,
  type Row,
  type TableName,
} from './support/related-rows.js';
import { isInTier } from '../../../test/support/engines.js';
import { openRelated, type RelatedPlace } from './support/related-tables.js';

const CONFIG: TypeOrmQueryConfig = relatedPaths();

function entities(named: RelatedPlace['named']): EntitySchema[] {
  const entity = (
    table: TableName,
    own: Readonly<Record<string, StringConstructor | NumberConstructor>>,
    relations: Record<string, EntitySchemaRelationOptions> = {},
  ) =>
    new EntitySchema<object>({
      name: table,
      tableName: named(table),
      columns: {
        id: { type: Number, primary: true },
        ...Object.fromEntries(
          Object.entries(own).map(([name, type]) => [name, { type, nullable: true }]),
        ),
      },
      relations: relations,
    });
  const one = (target: TableName, column: string): EntitySchemaRelationOptions => ({
    type: 'many-to-one',
    target,
    joinColumn: { name: column },
  });
  const many = (target: TableName, inverseSide: string): EntitySchemaRelationOptions => ({
    type: 'one-to-many',
    target,
    inverseSide,
  });
  return [
    entity('teams', { name: String }),
    entity(
      'people',
      { name: String, age: Number },
      {
        team: one('teams', 'team_id'),
        skills: many('skills', 'person'),
      },
    ),
    entity('skills', { name: String }, { person: one('people', 'person_id') }),
    entity(
      'tasks',
      { title: String, rank: Number },
      {
        owner: one('people', 'owner_id'),
        comments: many('comments', 'task'),
        tags: {
          type: 'many-to-many',
          target: 'tags',
          inverseSide: 'tasks',
          joinTable: {
            name: named('task_tags'),
            joinColumn: { name: 'task_id' },
            inverseJoinColumn: { name: 'tag_id' },
          },
        },
      },
    ),
    entity(
      'tags',
      { name: String, weight: Number },
      {
        tasks: { type: 'many-to-many', target: 'tasks', inverseSide: 'tags' },
      },
    ),
    entity(
      'comments',
      { body: String },
      {
        task: { ...one('tasks', 'task_id'), inverseSide: 'comments' },
        author: one('people', 'author_id'),
        marks: many('marks', 'comment'),
      },
    ),
    entity('marks', { name: String }, { comment: one('comments', 'comment_id') }),
  ];
}

async function open(dialect: RelatedPlace['dialect']) {
  const place = await openRelated(dialect);
  if (!place) return undefined;
  const { url, named } = place;
  const of =
    dialect === 'sqlite' ? { type: 'better-sqlite3', database: url } : { type: dialect, url };
  const source = await new DataSource({
    ...of,
    entities: entities(named),
  } as DataSourceOptions).initialize();
  const close = () => source.destroy().then(() => place.close());
  return { source, tasks: source.getRepository<Row>('tasks'), close };
}

function builderEngine(tasks: Repository<Row>): Omit<RelatedEngine, 'close'> {
  const adapter = typeOrmAdapter(tasks);
  // Of the same relations: they stay whole.
  const builder = () =>
    tasks
      .createQueryBuilder('task')
      .leftJoinAndSelect('task.owner', 'owner')
      .leftJoinAndSelect('owner.team', 'team')
      .leftJoinAndSelect('task.tags', 'tags');
  return {
    async find(parsed) {
      const query = adapter.build(parsed, CONFIG);
      const [rows, total] = await query.applyTo(builder()).getManyAndCount();
      for (const { id, tags } of rows as unknown as { id: number; tags: unknown[] }[]) {
        expect([id, tags.length]).toEqual([id, await tagsOf(id)]);
      }
      return { ids: rows.map(({ id }) => id), total };
    },
    async page(parsed, options) {
      const query = adapter.buildKeyset(parsed, CONFIG, options);
      return pageOf(await query.applyTo(builder()).getMany(), query.cursorOf);
    },
  };
  async function tagsOf(id: number): Promise<number> {
    counts ??= await countTags(tasks);
    return counts.get(id) ?? 0;
  }
}
let counts: Map<number, number> | undefined;

async function countTags(tasks: Repository<Row>): Promise<Map<number, number>> {
  const rows = await tasks.find({ relations: { tags: true } as never });
  return new Map(rows.map((row) => [row.id, (row as unknown as { tags: unknown[] }).tags.length]));
}

for (const dialect of ['sqlite', 'postgres', 'mariadb'] as const) {
  describeRelations(`TypeORM (builder) on ${dialect}`, async () => {
    const opened = await open(dialect);
    return opened && { ...builderEngine(opened.tasks), close: opened.close };
  });
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  describeRelations(
    `TypeORM (find) on ${dialect}`,
    async () => {
      const opened = await open(dialect);
      if (!opened) return undefined;
      const { tasks, close } = opened;
      return {
        ...builderEngine(tasks),
        async find(parsed) {
          const [rows, total] = await tasks.findAndCount(
            typeOrmAdapter(tasks).build(parsed, CONFIG),
          );
          return { ids: rows.map(({ id }) => id), total };
        },
        close,
      };
    },
    { sorts: false },
  );
}

describe('relations of TypeORM', () => {
  it.each((['sqlite', 'postgres', 'mariadb'] as const).filter(isInTier))(
    'order rows without the related row first with nulls: first, on %s',
    async (dialect) => {
      const opened = await open(dialect);
      if (!opened) return;
      const { tasks, close } = opened;
      const nulls = 'first';
      for (const sort of ['owner.name:asc', 'owner.name:desc']) {
        const parsed = parseQuery({ sort, limit: '100' });
        const { comparator } = memoryAdapter.build(parsed, { ...RELATED_CONFIG, nulls });
        const { applyTo } = typeOrmAdapter(tasks).build(parsed, { ...CONFIG, nulls });
        const found = await applyTo(tasks.createQueryBuilder('task')).getMany();
        const wanted = RELATED_TASKS.toSorted(comparator);
        expect(wanted[0]).toHaveProperty('owner', null);
        expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      }
      const byRank = (direction: string) => {
        const parsed = parseQuery({ sort: `rank:${direction}`, limit: '100' });
        const { comparator } = memoryAdapter.build(parsed, { ...RELATED_CONFIG, nulls });
        const query = typeOrmAdapter(tasks).build(parsed, { ...CONFIG, nulls });
        return { query, wanted: RELATED_TASKS.toSorted(comparator).map(({ id }) => id) };
      };
      for (const direction of dialect === 'mariadb' ? ['asc'] : ['asc', 'desc']) {
        const { query, wanted } = byRank(direction);
        expect((await tasks.find(query)).map(({ id }) => id)).toEqual(wanted);
      }
      await close();
    },
  );

  it('refuse a sort key of a related row with find', async () => {
    const opened = await open('sqlite');
    if (!opened) return;
    const query = typeOrmAdapter(opened.tasks).build(
      parseQuery({ sort: 'owner.name:asc' }),
      CONFIG,
    );
    await opened.close();
    expect(() => query.order).toThrow(InvalidQueryError);
    expect(() => query.order).toThrow('sort "owner.name" not-expressible');
  });

  it.each<[TypeOrmQueryConfig, string]>([
    [{ filterable: ['owner'] }, '"owner" is not a column of entity tasks.'],
    [{ filterable: ['owner.nme'] }, '"owner.nme" is not a column of entity tasks.'],
    [
      { sortable: ['tags.name'] },
      'Field "tags.name" is sortable, but a row can have several values',
    ],
    [{ sortable: ['owner.skills.name'] }, 'the relation "owner.skills" is to-many.'],
    [{ filterable: ['tags.tasks.tags.tasks.title'] }, 'is reached through 4 relations.'],
    [{ filterable: [], relations: {} } as object, 'but the adapter reads relations'],
  ])('%j is refused at boot', async (config, fact) => {
    const opened = await open('sqlite');
    if (!opened) return;
    const { check } = typeOrmAdapter(opened.tasks);
    await opened.close();
    expect(() => check(config)).toThrow(InvalidQueryConfigError);
    expect(() => check(config)).toThrow(fact);
  });
});
