import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  typeOrmAdapter,
  type TypeOrmAdapterOptions,
  type TypeOrmQueryConfig,
} from '@fledge/query/typeorm';
import {
  DataSource,
  type DataSourceOptions,
  Equal,
  EntitySchema,
  type EntitySchemaColumnOptions,
  FindOperator,
  type ObjectLiteral,
} from 'typeorm';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../src/query.errors.js';
import { type CursorEngine, describeCursors, pageOf } from './support/cursors.js';
import { isInTier } from '../../../test/support/engines.js';
import { openMariadb, openPostgres, openSqlite, type OpenTable } from './support/databases.js';
import { TASKS, type TaskRow } from './support/dataset.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { describeAgainstOracle, type Engine } from './support/differential.js';

const FIELDS = Object.keys(TASKS.columns);
const CONFIG: TypeOrmQueryConfig = {
  filterable: FIELDS,
  sortable: FIELDS,
  searchable: ['title', 'note'],
};

/** The table of the dataset as an entity. `own` has the types that are specific to an engine. */
function taskEntity(
  tableName: string,
  own: Partial<Record<keyof TaskRow, Partial<EntitySchemaColumnOptions>>>,
): EntitySchema<TaskRow> {
  const columns: Record<keyof TaskRow, EntitySchemaColumnOptions> = {
    id: { type: Number, primary: true },
    title: { type: String },
    note: { type: String, nullable: true },
    status: { type: 'simple-enum', enum: ['open', 'done', 'held'] },
    priority: { type: 'int' },
    rating: { type: 'double', nullable: true },
    price: { type: 'decimal', precision: 10, scale: 2, nullable: true },
    serial: { type: 'bigint' },
    done: { type: Boolean, nullable: true },
    due: { type: 'date', nullable: true },
    created: { type: 'datetime' },
    uid: { type: 'uuid' },
  };
  for (const [name, more] of Object.entries(own)) {
    const key = name as keyof TaskRow;
    columns[key] = { ...columns[key], ...more };
  }
  return new EntitySchema<TaskRow>({ name: 'Task', tableName, columns });
}

async function engineOf(open: () => Promise<Opened>, by: 'find' | 'builder'): Promise<Engine> {
  const opened = await open();
  const [table, options] = opened;
  const source = await new DataSource(options).initialize();
  const repository = source.getRepository<TaskRow>('Task');
  const adapter = typeOrmAdapter(repository);
  return {
    async find(parsed) {
      const query = adapter.build(parsed, CONFIG);
      const [rows, total] = await (by === 'find'
        ? repository.findAndCount(query)
        : query.applyTo(repository.createQueryBuilder('task')).getManyAndCount());
      return { ids: rows.map(({ id }) => id), total };
    },
    async close() {
      await source.destroy();
      await table.close();
    },
  };
}

type Opened = [OpenTable, DataSourceOptions];

async function sqlite(): Promise<Opened> {
  const table = await openSqlite();
  const entities = [taskEntity(table.table, {})];
  return [table, { type: 'better-sqlite3', database: table.path, entities }];
}

async function postgres(): Promise<Opened> {
  const table = await openPostgres();
  const own = {
    rating: { type: 'float8' },
    created: { type: 'timestamptz', precision: 3 },
  } as const;
  return [table, { type: 'postgres', url: table.url, entities: [taskEntity(table.table, own)] }];
}

async function mariadb(): Promise<Opened> {
  const table = await openMariadb();
  const entities = [taskEntity(table.table, { created: { type: 'datetime', precision: 3 } })];
  return [table, { type: 'mariadb', url: table.url, timezone: 'Z', entities }];
}

describeAgainstOracle('TypeORM (find) on SQLite', () => engineOf(sqlite, 'find'));
describeAgainstOracle('TypeORM (builder) on SQLite', () => engineOf(sqlite, 'builder'));
describeAgainstOracle('TypeORM (find) on PostgreSQL', () => engineOf(postgres, 'find'));
describeAgainstOracle('TypeORM (builder) on PostgreSQL', () => engineOf(postgres, 'builder'));
// By builder only: on MySQL and MariaDB, `find` cannot put NULLs last.
describeAgainstOracle('TypeORM (builder) on MariaDB', () => engineOf(mariadb, 'builder'));

async function cursorEngineOf(open: () => Promise<Opened>): Promise<CursorEngine | undefined> {
  const opened = await open();
  const [table, options] = opened;
  const source = await new DataSource(options).initialize();
  const repository = source.getRepository<TaskRow>('Task');
  return {
    async page(parsed, keyset) {
      const query = typeOrmAdapter(repository).buildKeyset(parsed, CONFIG, keyset);
      const builder = query.applyTo(repository.createQueryBuilder('t'));
      return pageOf(await builder.getMany(), query.cursorOf);
    },
    async close() {
      await source.destroy();
      await table.close();
    },
  };
}

describeCursors('TypeORM on SQLite', () => cursorEngineOf(sqlite));
describeCursors('TypeORM on PostgreSQL', () => cursorEngineOf(postgres));
describeCursors('TypeORM on MariaDB', () => cursorEngineOf(mariadb));

for (const [name, open] of [
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
  ['MariaDB', mariadb],
] as const) {
  for (const by of ['find', 'builder'] as const) {
    // On MariaDB, `find` cannot put NULLs last.
    if (name === 'MariaDB' && by === 'find') continue;
    describeFields(`TypeORM (${by}) on ${name}`, async () => {
      const opened = await open();
      const [table, options] = opened;
      const source = await new DataSource(options).initialize();
      const repository = source.getRepository<TaskRow>('Task');
      const adapter = typeOrmAdapter(repository, { findCounts: false });
      const config = { ...CONFIG, selectable: SELECTABLE.selectable };
      return {
        find(parsed) {
          const query = adapter.build(parsed, config);
          if (by === 'find') return repository.find(query);
          return query.applyTo(repository.createQueryBuilder('task')).getMany();
        },
        async page(parsed, keyset) {
          const query = adapter.buildKeyset(parsed, config, keyset);
          const rows = await query.applyTo(repository.createQueryBuilder('t')).getMany();
          return fieldsPageOf(rows, query);
        },
        async close() {
          await source.destroy();
          await table.close();
        },
      };
    });
  }
}

// TypeORM 1 counts different values of the members in place of rows; 0.3.20 counts rows.
it.each(
  (
    [
      ['SQLite', sqlite],
      ['PostgreSQL', postgres],
      ['MariaDB', mariadb],
    ] as const
  ).filter(([name]) => isInTier(name)),
)('findAndCount with fields has the whole total, or is a 400, on %s', async (_, open) => {
  const [table, options] = await open();
  const source = await new DataSource(options).initialize();
  const repository = source.getRepository<TaskRow>('Task');
  const config = { ...CONFIG, selectable: SELECTABLE.selectable };
  const parsedOf = (fields: string) => parseQuery({ fields, limit: '2' }, config);
  const totalOf = async (fields: string, adapter = typeOrmAdapter(repository)) => {
    const [, total] = await repository.findAndCount(adapter.build(parsedOf(fields), config));
    return total;
  };
  const all = await repository.count();
  expect(await totalOf('title,status')).toBe(all);
  const withNull = await totalOf('rating').catch((error: unknown) => error);
  if (withNull instanceof InvalidQueryError) {
    expect(withNull.message).toContain('fields "rating" not-expressible');
  } else {
    expect(withNull).toBe(all);
  }
  const { where, ...page } = typeOrmAdapter(repository, { findCounts: false }).build(
    parsedOf('rating'),
    config,
  );
  const [rows, counted] = [
    await repository.find({ ...page, where }),
    await repository.count({ where }),
  ];
  expect([Object.keys(rows[0] as object).toSorted(), counted]).toEqual([['id', 'rating'], all]);
  await source.destroy();
  await table.close();
});

interface Person {
  readonly id: number;
  readonly name: string;
  readonly nick: string | null;
  readonly wage: number;
  readonly address: { readonly city: string | null; readonly zip: string };
  readonly pets: readonly Pet[];
}
interface Pet {
  readonly id: number;
  readonly owner: Person;
}

const PERSON = new EntitySchema<Person>({
  name: 'Person',
  columns: {
    id: { type: Number, primary: true },
    name: { type: String, name: 'full_name' },
    nick: { type: String, nullable: true },
    // Stored in cents, so the stored value differs from that of the entity.
    wage: {
      type: 'integer',
      transformer: { to: (euros: number) => euros * 100, from: (cents: number) => cents / 100 },
    },
  },
  embeddeds: {
    address: {
      schema: new EntitySchema({
        name: 'Address',
        columns: { city: { type: String, nullable: true }, zip: { type: String } },
      }),
      prefix: 'at_',
    },
  },
  relations: { pets: { type: 'one-to-many', target: 'Pet', inverseSide: 'owner' } },
});
const PET = new EntitySchema<Pet>({
  name: 'Pet',
  columns: { id: { type: Number, primary: true } },
  relations: { owner: { type: 'many-to-one', target: 'Person', inverseSide: 'pets' } },
});
const ODD = new EntitySchema<ObjectLiteral>({
  name: 'Odd',
  columns: {
    id: { type: 'bigint', primary: true },
    extra: { type: 'simple-json' },
    tags: { type: 'simple-array' },
    raw: { type: 'blob' },
    tiny: { type: 'tinyint', unsigned: true },
    at: { type: 'time' },
  },
});

const PEOPLE: TypeOrmQueryConfig = {
  columns: {
    id: 'id',
    name: 'name',
    nick: 'nick',
    wage: 'wage',
    city: 'address.city',
    zip: 'address.zip',
  },
  searchColumns: ['name', 'address.city'],
};

describe('what typeOrmAdapter builds', () => {
  let source: DataSource;
  const people = () => source.getRepository<Person>('Person');
  const build = (wire: Record<string, unknown>, config = PEOPLE, options?: TypeOrmAdapterOptions) =>
    typeOrmAdapter(people(), options).build(
      parseQuery(wire, config, { operators: ['nin', 'isnull'] }),
      config,
    );
  const sqlOf = (wire: Record<string, unknown>) =>
    build(wire).applyTo(people().createQueryBuilder('p').select('p.id')).getQueryAndParameters();

  beforeAll(async () => {
    source = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [PERSON, PET, ODD],
      synchronize: true,
    }).initialize();
    await people().save([
      { id: 1, name: 'Ann', nick: null, wage: 10, address: { city: 'Bonn', zip: '2' } },
      { id: 2, name: 'Bob', nick: 'b', wage: 20, address: { city: null, zip: '1' } },
      { id: 3, name: 'Cid', nick: 'c', wage: 30, address: { city: 'Bonn', zip: '1' } },
    ]);
    await source.getRepository('Pet').save([
      { id: 1, owner: { id: 1 } },
      { id: 2, owner: { id: 1 } },
      { id: 3, owner: { id: 3 } },
    ]);
  });
  afterAll(() => source.destroy());

  it('find options', () => {
    const { where, order, skip, take } = build({
      filter: [
        'id:in:1,2',
        'name:neq:x',
        'name:contains:50%_',
        'nick:isnull:true',
        'city:nin:a,b',
        'zip:between:1,2',
      ],
      sort: ['nick:asc', 'city:desc'],
      page: '2',
      limit: '10',
      q: 'dep',
    });
    const alike = {
      id: "t.id in ('1', '2')",
      nick: 't.nick is null',
      'address.city': "t.address.city not in ('a', 'b')",
      'address.zip': "t.address.zip between '1' and '2'",
    };
    const neq = "t.name <> 'x'";
    const like = (path: string, text: string) =>
      `lower(t.${path}) like lower('${text}') escape '!'`;
    expect(where.map(shapeOf)).toEqual([
      { ...alike, name: ['and', neq, like('name', '%50!%!_%'), like('name', '%dep%')] },
      {
        ...alike,
        name: ['and', neq, like('name', '%50!%!_%')],
        'address.city': ['and', alike['address.city'], like('address.city', '%dep%')],
      },
    ]);
    expect([order, skip, take]).toEqual([
      { nick: { direction: 'ASC', nulls: 'LAST' }, 'address.city': 'DESC', id: 'ASC' },
      10,
      10,
    ]);
    expect(Object.keys(order)).toEqual(['nick', 'address.city', 'id']);
  });

  describe('fields', () => {
    const config = { ...PEOPLE, selectable: ['name', 'zip'] };
    const wire = { fields: 'zip', sort: ['city:asc', 'wage:desc'], limit: '2' };
    const query = () => build(wire, config);

    it('cut an embedded entity', async () => {
      expect(query().select).toEqual({ id: true, address: { zip: true } });
      const alone = build(wire, config, { findJoins: false });
      expect(await people().find(alone)).toEqual([
        { id: 3, address: { zip: '1' } },
        { id: 1, address: { zip: '2' } },
      ]);
    });

    it('are refused for a find that may join, if they leave out a sort key', async () => {
      expect(() => query().order).toThrow(InvalidQueryError);
      expect(() => query().order).toThrow(
        'sort "city" not-expressible (expected: a sort key that is also in `fields`); sort "wage" not-expressible',
      );
      // What would be a 500, for which the client is not to blame.
      const joined = { ...build(wire, config, { findJoins: false }), relations: { pets: true } };
      await expect(people().find(joined)).rejects.toThrow('no such column');
    });

    it('work in a find that joins, with sort keys among them', async () => {
      const fetched = build({ fields: 'zip', sort: ['zip:asc', 'id:desc'], limit: '2' }, config);
      expect(await people().find({ ...fetched, relations: { pets: true } })).toEqual([
        { id: 3, address: { zip: '1' }, pets: [{ id: 3 }] },
        { id: 2, address: { zip: '1' }, pets: [] },
      ]);
    });

    it('keep each sort key in the find of an entity without relations', async () => {
      const odd = source.getRepository('Odd');
      const columns = { sortable: ['at'], selectable: ['tiny'] };
      const parsed = parseQuery({ fields: 'tiny', sort: 'at:asc' }, columns);
      expect(await odd.find(typeOrmAdapter(odd).build(parsed, columns))).toEqual([]);
    });

    it('keep joined entities, and the order by members that are not fetched', async () => {
      const joined = people().createQueryBuilder('p').leftJoinAndSelect('p.pets', 'pet');
      const found = await query().applyTo(joined).orderBy('p.id').getMany();
      expect(found).toEqual([
        { id: 1, address: { zip: '2' }, pets: [{ id: 1 }, { id: 2 }] },
        { id: 2, address: { zip: '1' }, pets: [] },
      ]);
      const again = people().createQueryBuilder('p').leftJoinAndSelect('p.pets', 'pet');
      expect(await query().applyTo(again).getMany()).toEqual([
        { id: 3, address: { zip: '1' }, pets: [{ id: 3 }] },
        { id: 1, address: { zip: '2' }, pets: [{ id: 1 }, { id: 2 }] },
      ]);
    });
  });

  it('an empty condition without filters', () => {
    expect(build({}).where).toEqual([{}]);
  });

  it('an empty `in` matches no row', async () => {
    const query = build({ filter: 'id:in:,' });
    expect(await people().findAndCount(query)).toEqual([[], 0]);
    expect(sqlOf({ filter: 'id:in:,' })[0]).toContain('WHERE (1 = 0)');
  });

  it('SQL with bound values, except numbers, which TypeORM writes on SQLite', () => {
    expect(
      sqlOf({
        filter: ['name:eq:O\'Brien" --', 'city:ends:b\\', 'id:gte:-5', 'nick:nin:x,y'],
        sort: ['city:asc', 'nick:desc'],
        page: '2',
        limit: '10',
        q: "'%!",
      }),
    ).toEqual([
      'SELECT "p"."id" AS "p_id" FROM "person" "p" WHERE ("p"."full_name" = ?' +
        ` AND lower("p"."at_City") like lower(?) escape '!' AND "p"."id" >= -5` +
        ' AND "p"."nick" not in (?, ?)' +
        ` AND (lower("p"."full_name") like lower(?) escape '!'` +
        ` or lower("p"."at_City") like lower(?) escape '!'))` +
        ' ORDER BY "p"."at_City" ASC NULLS LAST, "p"."nick" DESC, "p_id" ASC LIMIT 10 OFFSET 10',
      ['O\'Brien" --', '%b\\', 'x', 'y', "%'!%!!%", "%'!%!!%"],
    ]);
  });

  it('adds to the conditions of a builder, and keeps its OR in brackets', async () => {
    const { applyTo } = build({ filter: 'zip:eq:1', sort: 'id:desc' });
    const builder = people().createQueryBuilder('x').where('x.id = 1').orWhere('x.id = :id', {
      id: 3,
    });
    expect((await applyTo(builder).getMany()).map(({ id }) => id)).toEqual([3]);
  });

  it('the engine accepts a query at its limits', async () => {
    const list = Array.from({ length: 100 }, (_, i) => `n${i}`).join(',');
    const query = build({ filter: Array(50).fill(`name:nin:${list}`), q: 'n' });
    expect((await people().findAndCount(query))[1]).toBe(2);
    expect(await query.applyTo(people().createQueryBuilder()).getCount()).toBe(2);
  });

  it('twice on one builder, with distinct parameters', async () => {
    const builder = people().createQueryBuilder('p');
    build({ filter: 'name:starts:c', q: 'bonn' }).applyTo(builder);
    build({ filter: 'zip:eq:1' }).applyTo(builder);
    expect(await builder.getCount()).toBe(1);
    const [one] = build({ filter: 'name:starts:c' }).where;
    const [other] = build({ filter: 'zip:starts:1' }).where;
    expect(await people().countBy({ ...one, ...other })).toBe(1);
  });

  it('a condition of the caller can be added to each alternative', async () => {
    const { where, ...page } = build({ q: 'n' });
    const mine = where.map((any) => ({ ...any, id: Equal(3) }));
    const [rows] = await people().findAndCount({ ...page, where: mine });
    expect(rows.map(({ id }) => id)).toEqual([3]);
  });

  it('embedded columns keep their position in the order', async () => {
    const query = build({ sort: ['city:desc', 'name:desc', 'zip:asc'] });
    const found = await people().find(query);
    expect(found.map(({ id }) => id)).toEqual([3, 1, 2]);
    expect(found[2]?.address).toEqual({ city: null, zip: '1' });
  });

  it.each(['find', 'builder'])('compares stored values, without transformers: %s', async (by) => {
    const query = build({
      filter: ['wage:in:1000,3000', 'wage:gt:1000', 'wage:lt:9999'],
      q: 'n',
    });
    const answer = () =>
      by === 'find'
        ? people().findAndCount(query)
        : query.applyTo(people().createQueryBuilder()).getManyAndCount();
    // Twice, because transformers change operators.
    for (const [rows, total] of [await answer(), await answer()]) {
      expect([rows.map(({ id }) => id), total]).toEqual([[3], 1]);
    }
  });

  it('a cursor holds stored values, embedded or transformed', async () => {
    const page = (after?: string) =>
      typeOrmAdapter(people()).buildKeyset(
        parseQuery({ sort: ['zip:desc', 'wage:desc'], limit: '2' }, PEOPLE),
        PEOPLE,
        { secret: 'sixteen or more bytes', after, lookAhead: false },
      );
    const first = await page().applyTo(people().createQueryBuilder('p')).getMany();
    expect(first.map(({ id }) => id)).toEqual([1, 3]);
    const after = page().cursorOf(first[1] as Person);
    const second = await page(after).applyTo(people().createQueryBuilder('p')).getMany();
    expect(second.map(({ id }) => id)).toEqual([2]);
    expect(() => page(`${after}x`)).toThrow(InvalidQueryError);
  });

  it('pages with joins count and page the entity, not the joined rows', async () => {
    const query = build({ sort: 'city:asc', limit: '2' });
    const [rows, total] = await people().findAndCount({ ...query, relations: { pets: true } });
    expect([rows.map(({ id, pets }) => [id, pets.length]), total]).toEqual([
      [
        [1, 2],
        [3, 1],
      ],
      3,
    ]);
    const builder = people().createQueryBuilder('p').leftJoinAndSelect('p.pets', 'pet');
    const [again] = await query.applyTo(builder).getManyAndCount();
    expect(again.map(({ id, pets }) => [id, pets.length])).toEqual([
      [1, 2],
      [3, 1],
    ]);
  });

  it.each([
    ['no.such', 'is not a column of entity Person'],
    ['pets', 'is not a column of entity Person'],
    ['__proto__', 'is not a column of entity Person'],
    ['toString', 'is not a column of entity Person'],
  ])('refuses a config with the property %s', (path, fact) => {
    expect(() => build({}, { columns: { x: path } })).toThrow(fact);
    expect(() => build({}, { columns: { x: path } })).toThrow(InvalidQueryConfigError);
  });

  it.each(['extra', 'tags', 'raw'])('refuses %s, whose type cannot be filtered', (path) => {
    const odd = typeOrmAdapter(source.getRepository('Odd'));
    expect(() => odd.build(parseQuery({}), { filterable: [path] })).toThrow(
      `"${path}" of entity Odd has the type`,
    );
    const declared = { columns: { x: { name: path, type: 'string' } } } as const;
    expect(() => odd.build(parseQuery({}), declared)).not.toThrow();
  });

  it.each([
    ['id:eq:9223372036854775808'],
    ['tiny:eq:256'],
    ['tiny:eq:-1'],
    ['at:eq:25:00'],
    ['at:contains:1'],
  ])('%s is a 400', (filter) => {
    const config = { filterable: ['id', 'tiny', 'at'] };
    const odd = typeOrmAdapter(source.getRepository('Odd'));
    expect(() => odd.build(parseQuery({ filter }, config), config)).toThrow(InvalidQueryError);
  });

  it('a time is compared in the spelling in which TypeORM stores it', async () => {
    const odd = source.getRepository('Odd');
    await odd.save({ id: 1, extra: {}, tags: [], raw: Buffer.from(''), tiny: 1, at: '13:05:00' });
    const config = { filterable: ['at'] };
    const query = typeOrmAdapter(odd).build(parseQuery({ filter: 'at:eq:13:05' }, config), config);
    expect(await odd.countBy(query.where)).toBe(1);
  });
});

it('refuses unsupported engines', () => {
  const dataSource = { options: { type: 'mssql' } };
  const metadata = { dataSource, columns: [], primaryColumns: [], name: 'Task' };
  expect(() => typeOrmAdapter({ metadata } as never)).toThrow(
    'A TypeORM data source of type "mssql" is not supported',
  );
});

it('on MariaDB puts NULLs last without NULLS LAST', async () => {
  const source = new DataSource({ type: 'mariadb', database: 'x', entities: [PERSON, PET] });
  await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
  const people = source.getRepository<Person>('Person');
  const query = typeOrmAdapter(people).build(
    parseQuery({ sort: ['city:asc', 'nick:desc'] }, PEOPLE),
    PEOPLE,
  );
  expect(query.order).toEqual({ 'address.city': 'ASC', nick: 'DESC', id: 'ASC' });
  const sql = query.applyTo(people.createQueryBuilder('p').select('p.id')).getQuery();
  // TypeORM 0.3 does not quote an alias in ORDER BY, and may omit OFFSET 0.
  expect(
    sql.replace('BY fledge_address__city_is_null ', 'BY `fledge_address__city_is_null` '),
  ).toContain(
    'SELECT `p`.`id` AS `p_id`, `p`.`at_City` is null AS `fledge_address__city_is_null` FROM `person` `p`' +
      ' ORDER BY `fledge_address__city_is_null` ASC, `p`.`at_City` ASC, `p`.`nick` DESC, `p_id` ASC LIMIT 20',
  );
});

/** A `where` as text: the SQL of raw operators with their values. */
function shapeOf(where: object): unknown {
  return Object.fromEntries(
    Object.entries(where).map(([path, operator]) => [
      path,
      wordsOf(operator as FindOperator<unknown>, path),
    ]),
  );
}

function wordsOf(operator: unknown, path: string): unknown {
  if (!(operator instanceof FindOperator)) return operator;
  const { type, value, getSql, objectLiteralParameters } = operator as FindOperator<unknown>;
  if (type === 'and') return [type, ...(value as unknown[]).map((one) => wordsOf(one, path))];
  return getSql?.(`t.${path}`).replace(
    /:(\w+)/g,
    (_, name) => `'${objectLiteralParameters?.[name as string]}'`,
  );
}
