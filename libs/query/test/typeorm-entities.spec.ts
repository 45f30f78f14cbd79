// Entities that are declared in other ways: inheritance, declared foreign keys, lazy relations, hidden columns, views.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidQueryError, parseQuery } from '@fledge/query';
import { typeOrmAdapter, type TypeOrmQueryConfig } from '@fledge/query/typeorm';
import {
  ChildEntity,
  Column,
  CreateDateColumn,
  DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  type Relation,
  TableInheritance,
  ViewColumn,
  ViewEntity,
} from 'typeorm';

@Entity()
class Author {
  @PrimaryColumn('integer') id!: number;
  @Column('varchar') name!: string;
  @Column('varchar', { select: false, nullable: true }) hash?: string | null;
  @OneToMany(() => Photo, (photo) => photo.author) photos!: Photo[];
  @OneToOne(() => Note, (note) => note.author) note!: Relation<Note>;
}

@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Content {
  @PrimaryColumn('integer') id!: number;
  @Column('varchar') title!: string;
  @Column('integer') authorId!: number;
}
@ChildEntity()
class Photo extends Content {
  @ManyToOne(() => Author, (author) => author.photos)
  @JoinColumn({ name: 'authorId' })
  author!: Author;
}
@ChildEntity()
class Portrait extends Photo {}
@ChildEntity()
class Note extends Content {
  @OneToOne(() => Author, (author) => author.note)
  @JoinColumn({ name: 'authorId' })
  author!: Author;
}

@Entity()
class Task {
  @PrimaryColumn('integer') id!: number;
  @Column('varchar') title!: string;
  @Column('integer', { nullable: true, select: false }) rank?: number | null;
  @Column('integer', { nullable: true }) authorId!: number | null;
  @ManyToOne(() => Author, { nullable: true })
  @JoinColumn({ name: 'authorId' })
  author!: Author | null;
  @ManyToOne(() => Author, { nullable: true, lazy: true })
  @JoinColumn({ name: 'reviewerId' })
  reviewer!: Promise<Author | null>;
}

/** Its key is a foreign key. */
@Entity()
class Profile {
  @PrimaryColumn('integer') authorId!: number;
  @Column('varchar') text!: string;
  @OneToOne(() => Author)
  @JoinColumn({ name: 'authorId' })
  author!: Author;
}

@ViewEntity({ expression: 'select title as "heading", "authorId" as "writer" from task' })
class Heading {
  @ViewColumn() heading!: string;
  @ViewColumn() writer!: number;
}

const ENTITIES = [Author, Content, Photo, Portrait, Note, Task, Profile, Heading];
const SECRET = 'of tests alone, and long enough';

describe('typeOrmAdapter', () => {
  let source: DataSource;
  const of = <E extends object>(entity: new () => E) => source.getRepository(entity);
  beforeAll(async () => {
    source = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: ENTITIES,
      synchronize: true,
    }).initialize();
    await of(Author).save([
      { id: 1, name: 'Ann', hash: 'h1' },
      { id: 2, name: 'Bob', hash: 'h2' },
    ]);
    await of(Photo).save([{ id: 1, title: 'sea', authorId: 1 }]);
    await of(Portrait).save([{ id: 2, title: 'face', authorId: 1 }]);
    await of(Note).save([{ id: 3, title: 'sea', authorId: 2 }]);
    await of(Task).save([
      { id: 1, title: 'a', rank: 2, authorId: 2, reviewer: Promise.resolve({ id: 1 } as Author) },
      { id: 2, title: 'b', rank: 1, authorId: 1, reviewer: Promise.resolve({ id: 2 } as Author) },
      { id: 3, title: 'c', rank: null, authorId: null },
    ]);
    await of(Profile).save([
      { authorId: 1, text: 'x' },
      { authorId: 2, text: 'y' },
    ]);
  });
  afterAll(() => source.destroy());

  /** The ids of the rows that `find` and a builder give. */
  async function idsOf<E extends { id: number }>(
    entity: new () => E,
    query: object,
    config: TypeOrmQueryConfig,
  ) {
    const built = typeOrmAdapter(of(entity)).build(
      parseQuery(query, config, { where: true }),
      config,
    );
    const rows = await built.applyTo(of(entity).createQueryBuilder('e')).getMany();
    return rows.map(({ id }) => id);
  }

  describe('of a relation to a child of single-table inheritance', () => {
    const config = {
      filterable: ['photos.title', 'note.title'],
      sortable: ['note.title', 'id'],
      searchable: ['photos.title'],
    } as const;
    it.each([
      [{ filter: 'photos.title:eq:sea' }, [1]],
      // A portrait is a photo.
      [{ filter: 'photos.title:eq:face' }, [1]],
      [{ where: 'not(photos.title:eq:sea)' }, [2]],
      [{ filter: 'note.title:eq:sea' }, [2]],
      [{ q: 'sea' }, [1]],
      [{ sort: 'note.title:asc' }, [2, 1]],
    ])('finds no rows of its siblings in %j', async (query, ids) => {
      expect(await idsOf(Author, query, config)).toEqual(ids);
      if ('sort' in query) return;
      const built = typeOrmAdapter(of(Author)).build(
        parseQuery(query, config, { where: true }),
        config,
      );
      const [rows, total] = await of(Author).findAndCount(built);
      expect([rows.map(({ id }) => id), total]).toEqual([ids, ids.length]);
    });
  });

  describe('of a declared foreign key', () => {
    const config = { filterable: ['authorId'], sortable: ['authorId'] } as const;
    it.each([
      [{ filter: 'authorId:eq:2' }, [1]],
      [{ sort: 'authorId:asc' }, [2, 1, 3]],
      [{ sort: 'authorId:desc' }, [1, 2, 3]],
    ])('filters and sorts by it: %j', async (query, ids) => {
      expect(await idsOf(Task, query, config)).toEqual(ids);
      const found = await of(Task).find(typeOrmAdapter(of(Task)).build(parseQuery(query), config));
      expect(found.map(({ id }) => id)).toEqual(ids);
    });

    it('pages by it, also next to the joined relation', async () => {
      const walked: number[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = typeOrmAdapter(of(Task)).buildKeyset(
          parseQuery({ sort: 'authorId:desc', limit: '1' }),
          config,
          { secret: SECRET, after },
        );
        const joined = of(Task).createQueryBuilder('t').leftJoinAndSelect('t.author', 'a');
        const [row] = await page.applyTo(joined).getMany();
        if (row) walked.push(row.id);
        [after, more] = [row && page.cursorOf(row), row !== undefined && walked.length < 9];
      }
      expect(walked).toEqual([1, 2, 3]);
    });

    it('takes it as the primary key', async () => {
      const profiles = { filterable: ['authorId', 'text'], sortable: ['text', 'authorId'] };
      const adapter = typeOrmAdapter(of(Profile));
      adapter.check(profiles);
      const query = adapter.build(parseQuery({ filter: 'authorId:gt:1' }), profiles);
      expect(await of(Profile).findAndCount(query)).toEqual([[{ authorId: 2, text: 'y' }], 1]);
    });
  });

  describe('of a column with select: false', () => {
    const config = { filterable: [], sortable: ['rank'] } as const;
    const parsed = parseQuery({ sort: 'rank:asc' });

    it('sorts by it next to a join', async () => {
      const joined = of(Task).createQueryBuilder('t').leftJoinAndSelect('t.author', 'a');
      const rows = await typeOrmAdapter(of(Task)).build(parsed, config).applyTo(joined).getMany();
      expect(rows.map(({ id }) => id)).toEqual([2, 1, 3]);
      expect(rows[0]?.rank).toBeUndefined();
    });

    it('refuses it as a sort key of a find that may join, and of cursors', async () => {
      const adapter = typeOrmAdapter(of(Task));
      expect(() => adapter.build(parsed, config).order).toThrow(InvalidQueryError);
      const alone = typeOrmAdapter(of(Task), { findJoins: false }).build(parsed, config);
      // What would be a 500, for which the client is not to blame.
      const joining = of(Task).find({ ...alone, relations: { author: true } });
      await expect(joining).rejects.toThrow('no such column');
      expect((await of(Task).find(alone)).map(({ id }) => id)).toEqual([2, 1, 3]);
      const page = adapter.buildKeyset(parsed, config, { secret: SECRET });
      const [row] = await page.applyTo(of(Task).createQueryBuilder('t')).getMany();
      expect(row?.rank).toBeUndefined();
      expect(() => page.cursorOf(row as Task)).toThrow(InvalidQueryError);
      expect(() => page.cursorOf(row as Task)).toThrow('sort "rank" not-expressible');
      const selected = of(Task).createQueryBuilder('t').addSelect('t.rank');
      const [whole] = await page.applyTo(selected).getMany();
      expect(page.cursorOf(whole as Task)).toEqual(expect.any(String));
    });
  });

  it.each(['author', 'reviewer'])(
    'pages in the order of the relation %s, and project leaves it out',
    async (relation) => {
      const config = { filterable: [], sortable: [`${relation}.name`], selectable: ['title'] };
      const wire = { sort: `${relation}.name:asc`, fields: 'title', limit: '1' };
      const found: object[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = typeOrmAdapter(of(Task)).buildKeyset(parseQuery(wire, config), config, {
          secret: SECRET,
          after,
        });
        const joined = of(Task).createQueryBuilder('t').leftJoinAndSelect(`t.${relation}`, 'a');
        const [row] = await page.applyTo(joined).getMany();
        if (row) found.push(page.project(row));
        [after, more] = [row && page.cursorOf(row), row !== undefined && found.length < 9];
      }
      const [first, second] = relation === 'author' ? [2, 1] : [1, 2];
      const titles = ['', 'a', 'b', 'c'];
      expect(found.map((row) => ({ ...row }))).toEqual(
        [first, second, 3].map((id) => ({ id, title: titles[id] })),
      );
    },
  );

  it('of a view without a primary column', async () => {
    const heading = { name: 'heading', type: 'string' } as const;
    const config = { columns: { heading }, searchColumns: [] };
    const adapter = typeOrmAdapter(of(Heading));
    const ofQuery = (query: object) =>
      of(Heading).findAndCount(adapter.build(parseQuery(query, config, { where: true }), config));
    const a = { heading: 'a', writer: 2 };
    expect(await ofQuery({ where: 'or(heading:eq:a,heading:eq:x)' })).toEqual([[a], 1]);
    const { applyTo } = adapter.build(parseQuery({ sort: 'heading:desc', limit: '1' }), config);
    const rows = await applyTo(of(Heading).createQueryBuilder('h')).getMany();
    expect(rows).toEqual([{ heading: 'c', writer: null }]);
  });
});

@Entity()
class Event {
  @PrimaryColumn('integer') id!: number;
  @CreateDateColumn() at!: Date;
  @ManyToOne(() => Event, { nullable: true }) parent!: Relation<Event> | null;
}

describe('timestamps on SQLite, which the database and TypeORM write in different ways', () => {
  let source: DataSource;
  const config = {
    filterable: ['at', 'parent.at'],
    sortable: ['at', 'parent.at'],
    groupable: ['at'],
    aggregatable: ['at'],
  };
  beforeAll(async () => {
    const options = { type: 'better-sqlite3', database: ':memory:', synchronize: true } as const;
    source = await new DataSource({ ...options, entities: [Event] }).initialize();
    const at = new Date('2026-01-31T10:30:15.000Z');
    await source.getRepository(Event).save([
      { id: 3, at },
      { id: 4, at: new Date('2026-01-31T10:30:15.250Z') },
      { id: 5, parent: { id: 3 }, at },
    ]);
    // The format of the default, `datetime('now')`.
    await source.query(
      `insert into event values (1, '2026-01-31 10:30:15', 3), (2, '2026-01-31 10:30:15', 4), ` +
        `(6, '2026-01-30 10:30:15', 1)`,
    );
  });
  afterAll(() => source.destroy());
  const builderOf = () =>
    source.getRepository(Event).createQueryBuilder('event').leftJoinAndSelect('event.parent', 'p');

  it('are written in two ways', async () => {
    await source.getRepository(Event).insert({ id: 9 });
    const rows: { at: string }[] = await source.query('select at from event where id in (3, 9)');
    expect(rows.map(({ at }) => at.length)).toEqual([23, 19]);
    await source.getRepository(Event).delete({ id: 9 });
  });

  it.each([
    ['at:asc', [6, 1, 2, 3, 5, 4]],
    ['at:desc', [4, 1, 2, 3, 5, 6]],
    ['parent.at:asc', [1, 5, 6, 2, 3, 4]],
  ])('page by cursors in the order %s', async (sort, ids) => {
    const adapter = typeOrmAdapter(source.getRepository(Event));
    for (const limit of [1, 2, 4]) {
      const seen: number[] = [];
      for (let after: string | undefined; seen.length <= ids.length;) {
        const parsed = parseQuery({ sort, limit: String(limit) }, config);
        const options = { secret: SECRET, after, lookAhead: false };
        const { applyTo, cursorOf } = adapter.buildKeyset(parsed, config, options);
        const rows = await applyTo(builderOf()).getMany();
        if (rows.length === 0) break;
        seen.push(...rows.map(({ id }) => id));
        after = cursorOf(rows.at(-1) as Event);
      }
      expect(seen).toEqual(ids);
    }
  });

  const SECOND = '2026-01-31T10:30:15Z';
  it.each([
    [`at:eq:${SECOND}`, [1, 2, 3, 5]],
    [`at:neq:${SECOND}`, [4, 6]],
    [`at:gte:${SECOND}`, [1, 2, 3, 4, 5]],
    [`at:gt:${SECOND}`, [4]],
    [`at:lt:${SECOND}`, [6]],
    [`at:lte:${SECOND}`, [1, 2, 3, 5, 6]],
    [`at:in:${SECOND},2026-01-30T10:30:15.000Z`, [1, 2, 3, 5, 6]],
    [`parent.at:eq:${SECOND}`, [1, 5, 6]],
  ])('are filtered by time: %s', async (filter, ids) => {
    const events = source.getRepository(Event);
    const query = typeOrmAdapter(events).build(parseQuery({ filter }, config), config);
    expect((await events.find({ where: query.where })).map(({ id }) => id).sort()).toEqual(ids);
    const built = query.applyTo(builderOf());
    expect((await built.getMany()).map(({ id }) => id).sort()).toEqual(ids);
  });

  it('are grouped by time', async () => {
    const parsed = parseQuery({ group: 'at:day', aggregate: 'count,min:at' }, config);
    const { summarize } = typeOrmAdapter(source.getRepository(Event));
    expect((await summarize(parsed, config, builderOf())).aggregates?.groups).toEqual([
      { group: { at: '2026-01-31' }, count: 5, min: { at: '2026-01-31T10:30:15.000Z' } },
      { group: { at: '2026-01-30' }, count: 1, min: { at: '2026-01-30T10:30:15.000Z' } },
    ]);
  });
});
