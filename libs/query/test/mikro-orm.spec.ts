import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/better-sqlite';
import {
  type Dictionary,
  EntitySchema,
  type EntitySchemaProperty,
  MikroORM,
  type Options,
  RawQueryFragment,
  Type,
  wrap,
} from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { mikroOrmAdapter, type MikroOrmQueryConfig } from '@fledge/query/mikro-orm';
import { engineOf as sqlEngineOf } from '../src/mikro-orm/property-type.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../src/query.errors.js';
import { type CursorEngine, describeCursors, pageOf } from './support/cursors.js';
import { openPostgres, openSqlite, type OpenTable } from './support/databases.js';
import { TASKS, type TaskRow } from './support/dataset.js';
import { describeFields, fieldsPageOf, SELECTABLE } from './support/fields.js';
import { describeAgainstOracle, type Engine } from './support/differential.js';
import { describeTablePerType } from './support/mikro-inheritance.js';
import { createSchema, SqliteDriver } from './support/mikro-sqlite.js';

const FIELDS = Object.keys(TASKS.columns);
const CONFIG: MikroOrmQueryConfig = {
  filterable: FIELDS,
  sortable: FIELDS,
  searchable: ['title', 'note'],
};

interface Opened {
  readonly table: OpenTable;
  readonly orm: MikroORM;
}

/** The table of the dataset as an entity. */
async function opened(table: OpenTable, options: Options): Promise<Opened> {
  const properties: Record<keyof TaskRow, EntitySchemaProperty<unknown, TaskRow>> = {
    id: { type: 'integer', primary: true },
    title: { type: 'text' },
    note: { type: 'text', nullable: true },
    status: { type: 'string', enum: true, items: ['open', 'done', 'held'] },
    priority: { type: 'integer' },
    rating: { type: 'double', nullable: true },
    price: { type: 'decimal', nullable: true },
    serial: { type: 'bigint' },
    done: { type: 'boolean', nullable: true },
    due: { type: 'date', nullable: true },
    created: { type: 'datetime', length: 3 },
    uid: { type: 'uuid' },
  };
  const entity = new EntitySchema<TaskRow>({
    name: 'Task',
    tableName: table.table,
    properties: properties as never,
  });
  return { table, orm: await MikroORM.init({ ...options, entities: [entity] }) };
}

async function sqlite(): Promise<Opened> {
  const table = await openSqlite('milliseconds');
  return opened(table, { driver: SqliteDriver, dbName: table.path });
}

async function postgres(): Promise<Opened | undefined> {
  const table = await openPostgres();
  return table && opened(table, { driver: PostgreSqlDriver, clientUrl: table.url });
}

async function close({ orm, table }: Opened): Promise<void> {
  await orm.close();
  await table.close();
}

function tasksOf(orm: MikroORM) {
  return orm.em.fork().getRepository<TaskRow>('Task');
}

async function engineOf(open: () => Promise<Opened | undefined>): Promise<Engine | undefined> {
  const there = await open();
  if (!there) return undefined;
  return {
    async find(parsed) {
      const tasks = tasksOf(there.orm);
      const { where, ...page } = mikroOrmAdapter(tasks).build(parsed, CONFIG);
      const [rows, total] = await tasks.findAndCount(where, page);
      return { ids: rows.map(({ id }) => id), total };
    },
    close: () => close(there),
  };
}

describeAgainstOracle('MikroORM on SQLite', () => engineOf(sqlite));
describeAgainstOracle('MikroORM on PostgreSQL', () => engineOf(postgres));

for (const [name, open] of [
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const) {
  describeFields(`MikroORM on ${name}`, async () => {
    const there = await open();
    if (!there) return undefined;
    const config = { ...CONFIG, selectable: SELECTABLE.selectable };
    return {
      async find(parsed) {
        const tasks = tasksOf(there.orm);
        const { where, ...page } = mikroOrmAdapter(tasks).build(parsed, config);
        return (await tasks.find(where, page)).map((task) => wrap(task).toObject());
      },
      async page(parsed, options) {
        const tasks = tasksOf(there.orm);
        const query = mikroOrmAdapter(tasks).buildKeyset(parsed, config, options);
        const { where, cursorOf, project, ...page } = query;
        const rows = await tasks.find(where, page);
        const found = fieldsPageOf(rows, { cursorOf, project });
        return { ...found, fetched: rows.map((task) => wrap(task).toObject()) };
      },
      close: () => close(there),
    };
  });
}

async function cursorEngineOf(
  open: () => Promise<Opened | undefined>,
): Promise<CursorEngine | undefined> {
  const there = await open();
  if (!there) return undefined;
  return {
    async page(parsed, options) {
      const tasks = tasksOf(there.orm);
      const query = mikroOrmAdapter(tasks).buildKeyset(parsed, CONFIG, options);
      const { where, cursorOf, ...page } = query;
      return pageOf(await tasks.find(where, page), cursorOf);
    },
    close: () => close(there),
  };
}

describeCursors('MikroORM on SQLite', () => cursorEngineOf(sqlite));
describeCursors('MikroORM on PostgreSQL', () => cursorEngineOf(postgres));

interface Person {
  readonly id: number;
  readonly name: string;
  readonly nick: string | null;
  readonly at: { readonly city: string | null; readonly zip: string };
}

class Secret extends Type<string, string> {
  override getColumnType(): string {
    return 'text';
  }
}

const PLACE = new EntitySchema<Dictionary>({
  name: 'Place',
  embeddable: true,
  properties: { city: { type: 'string', nullable: true }, zip: { type: 'string' } },
});
const PERSON = new EntitySchema<Person>({
  name: 'Person',
  properties: {
    id: { type: 'integer', primary: true },
    name: { type: 'string', fieldName: 'Full"Name' },
    nick: { type: 'string', nullable: true },
    at: { kind: 'embedded', entity: () => PLACE },
    maybe: { kind: 'embedded', entity: () => PLACE, nullable: true },
    json: { kind: 'embedded', entity: () => PLACE, object: true, nullable: true },
    boss: { kind: 'm:1', entity: () => PERSON, nullable: true },
    big: { type: 'bigint', nullable: true },
    tiny: { type: 'tinyint', unsigned: true, nullable: true },
    clock: { type: 'time', nullable: true },
    token: { type: 'uuid', nullable: true },
    extra: { type: 'json', nullable: true },
    tags: { type: 'string[]', nullable: true },
    blob: { type: 'blob', nullable: true },
    secret: { type: Secret, nullable: true },
    shadow: { type: 'string', persist: false, nullable: true },
    twice: { type: 'string', formula: '1 + 1', nullable: true },
  } as never,
});
const PEOPLE = {
  columns: { id: 'id', name: 'name', nick: 'nick', city: 'at.city', zip: 'at.zip' },
  searchColumns: ['name', 'at.city'],
} satisfies MikroOrmQueryConfig;

describe('what mikroOrmAdapter builds', () => {
  let orm: MikroORM;
  const people = () => orm.em.fork().getRepository<Person>('Person');
  const build = (wire: Record<string, unknown>, config: MikroOrmQueryConfig = PEOPLE) =>
    mikroOrmAdapter(people()).build(
      parseQuery(wire, config, { operators: ['nin', 'isnull'] }),
      config,
    );
  const idsOf = async (wire: Record<string, unknown>) => {
    const { where, ...page } = build(wire);
    return (await people().find(where, page)).map(({ id }) => id);
  };

  beforeAll(async () => {
    orm = await MikroORM.init({
      driver: SqliteDriver,
      dbName: ':memory:',
      entities: [PERSON, PLACE],
    });
    await createSchema(orm);
    const em = orm.em.fork();
    const rows: Person[] = [
      { id: 1, name: 'Ann', nick: null, at: { city: 'Bonn', zip: '2' } },
      { id: 2, name: 'Bob', nick: 'b', at: { city: null, zip: '1' } },
      { id: 3, name: 'Cid', nick: 'c', at: { city: 'Bonn', zip: '1' } },
    ];
    for (const row of rows) em.create<Person>('Person', row as never);
    await em.flush();
  });
  afterAll(() => orm.close(true));

  it('cursors without integers that the driver rounds', () => {
    const config = { sortable: ['big'] };
    const parsed = parseQuery({ sort: 'big:desc' }, config);
    const secret = 'a secret of the spec, long enough';
    const { cursorOf } = mikroOrmAdapter(people()).buildKeyset(parsed, config, { secret });
    const rowOf = (big: unknown) => ({ id: 1, big }) as never;
    for (const big of [2n ** 53n, -(2n ** 63n), '9223372036854775808']) {
      expect(() => cursorOf(rowOf(big))).toThrow(InvalidQueryConfigError);
      expect(() => cursorOf(rowOf(big))).toThrow('no value of type bigint for the sort key "big"');
    }
    expect(cursorOf(rowOf(2n ** 53n - 1n))).toBe(cursorOf(rowOf('9007199254740991')));
    expect(cursorOf(rowOf(null))).toEqual(expect.any(String));
  });

  it('the arguments of find', () => {
    const { where, orderBy, limit, offset } = build({
      filter: [
        'id:in:1,2',
        'name:eq:x',
        'name:contains:50%_',
        'nick:neq:n',
        'nick:nin:a,b',
        'nick:isnull:true',
        'city:isnull:false',
        'zip:between:1,2',
        'id:in:,',
      ],
      sort: ['nick:desc', 'zip:asc', 'city:asc'],
      page: '2',
      limit: '10',
      q: 'dep',
    });
    expect(plain(where)).toEqual({
      $and: [
        { id: { $in: [1, 2] } },
        { name: { $eq: 'x' } },
        like('Full"Name', '%50!%!_%'),
        { nick: { $ne: 'n' } },
        { nick: { $nin: ['a', 'b'] } },
        { nick: { $eq: null } },
        { at: { city: { $ne: null } } },
        { at: { zip: { $gte: '1', $lte: '2' } } },
        { id: { $in: [] } },
        { $or: [like('Full"Name', '%dep%'), like('at_city', '%dep%')] },
      ],
    });
    expect([orderBy, limit, offset]).toEqual([
      [
        { nick: 'desc nulls last' },
        { at: { zip: 'asc' } },
        { at: { city: 'asc nulls last' } },
        { id: 'asc' },
      ],
      10,
      10,
    ]);
  });

  it('{} without conditions', () => {
    expect(build({}).where).toEqual({});
  });

  it('SQL with bound values and quoted names', () => {
    const { where, orderBy, limit, offset } = build({
      filter: ["name:contains:50%_'", 'city:neq:"x"', 'nick:isnull:false'],
      sort: ['city:asc'],
      page: '2',
      limit: '10',
      q: 'n',
    });
    const builder = (orm.em as SqlEntityManager).fork().createQueryBuilder('Person', 'p');
    const sql = builder
      .select('id')
      .where(where as Dictionary)
      .orderBy(orderBy)
      .limit(limit)
      .offset(offset);
    expect(named(sql.getQuery(), sql.getParams())).toEqual([
      'select `p`.`id` from `person` as `p` where' +
        " lower(p.`Full\"Name`) like lower(?) escape '!'" +
        ' and `p`.`at_city` != ? and `p`.`nick` is not null' +
        " and (lower(p.`Full\"Name`) like lower(?) escape '!' or lower(p.`at_city`) like lower(?) escape '!')" +
        ' order by `p`.`at_city` asc nulls last, `p`.`id` asc limit ? offset ?',
      ["%50!%!_'%", '"x"', '%n%', '%n%', 10, 10],
    ]);
  });

  it('NULLs last in both directions, embedded or not', async () => {
    expect(await idsOf({ sort: 'city:asc' })).toEqual([1, 3, 2]);
    expect(await idsOf({ sort: 'city:desc' })).toEqual([1, 3, 2]);
    expect(await idsOf({ sort: ['nick:desc'] })).toEqual([3, 2, 1]);
  });

  it('a new where for each call, because MikroORM accepts a raw condition once', async () => {
    const query = build({ filter: 'name:contains:n', q: 'bonn' });
    expect(await people().count(query.where)).toBe(1);
    expect(await people().count(query.where)).toBe(1);
    const { where, ...page } = query;
    expect((await people().findAndCount(where, page))[1]).toBe(1);
  });

  it('raw conditions are released', async () => {
    // MikroORM 7 holds them weakly, so there is no list to check.
    const cached = () => (RawQueryFragment as Partial<typeof RawQueryFragment>).checkCacheSize?.();
    const before = cached();
    for (let i = 0; i < 5; i++) await idsOf({ filter: 'name:contains:n', q: 'bonn' });
    expect(cached()).toBe(before);
  });

  it('the engine accepts a query at its limits', async () => {
    const list = Array.from({ length: 100 }, (_, i) => `n${i}`).join(',');
    expect(await idsOf({ filter: Array(50).fill(`name:nin:${list}`), q: 'n' })).toEqual([1, 3]);
  });

  it('joins a condition of the caller', async () => {
    const { where, ...page } = build({ q: 'n' });
    const rows = await people().find({ $and: [{ id: 3 }, where] }, page);
    expect(rows.map(({ id }) => id)).toEqual([3]);
  });

  it('a time is compared in the spelling in which it is stored', () => {
    const { where } = build({ filter: 'clock:eq:13:05' }, { filterable: ['clock'] });
    expect(where).toEqual({ $and: [{ clock: { $eq: '13:05:00' } }] });
  });

  it('a cursor reads embedded properties', () => {
    const { cursorOf } = mikroOrmAdapter(people()).buildKeyset(
      parseQuery({ sort: ['city:asc', 'nick:desc'] }, PEOPLE),
      PEOPLE,
      { secret: 'sixteen or more bytes' },
    );
    const row: Person = { id: 7, name: 'x', nick: null, at: { city: 'Bonn', zip: '' } };
    const [payload = ''] = cursorOf(row).split('.');
    expect(Buffer.from(payload, 'base64url').toString()).toBe('["Bonn",null,"7"]');
  });

  it.each(['no', 'at', 'at.no', 'at_city', 'json.city', 'boss', 'shadow', 'twice', '__proto__'])(
    'refuses a config with the property %s',
    (path) => {
      expect(() => build({}, { columns: { x: path } })).toThrow(InvalidQueryConfigError);
      expect(() => build({}, { columns: { x: path } })).toThrow('is not a column of entity Person');
    },
  );

  it.each(['extra', 'tags', 'blob', 'secret'])(
    'refuses %s, whose type cannot be filtered',
    (path) => {
      expect(() => build({}, { filterable: [path] })).toThrow(
        `"${path}" of entity Person has the type`,
      );
      const declared = { columns: { x: { name: path, type: 'string' } } } as const;
      expect(() => build({}, declared)).not.toThrow();
    },
  );

  it.each([
    'big:eq:9223372036854775808',
    'tiny:eq:256',
    'tiny:eq:-1',
    'token:eq:x',
    'clock:eq:25:00',
  ])('%s is a 400', (filter) => {
    const config = { filterable: ['big', 'tiny', 'token', 'clock'] };
    expect(() => build({ filter }, config)).toThrow(InvalidQueryError);
  });

  it('a property of an optional embedded is nullable', () => {
    const config = { sortable: ['maybe.zip', 'at.zip'] };
    expect(build({ sort: ['maybe.zip:asc', 'at.zip:asc'] }, config).orderBy).toEqual([
      { maybe: { zip: 'asc nulls last' } },
      { at: { zip: 'asc' } },
      { id: 'asc' },
    ]);
  });
});

it('finds the engine of a platform that an application extends', () => {
  class PostgreSqlPlatform {}
  class OurPlatform extends PostgreSqlPlatform {}
  expect(sqlEngineOf({ getPlatform: () => new OurPlatform() } as never)).toBe('postgresql');
});

// A minified bundle has short names of classes.
it.each(['MongoPlatform', 'MsSqlPlatform', 'e'])('refuses %s', (name) => {
  const platform = { constructor: { name } };
  const repository = { getEntityManager: () => ({ getPlatform: () => platform }) };
  expect(() => mikroOrmAdapter(repository as never)).toThrow(`platform ${name} is not supported`);
});

const like = (column: string, pattern: string) => ({
  [`lower([::alias::].\`${column}\`) like lower(?) escape '!'`]: [pattern],
});

describeTablePerType();

/** A where with its raw keys written as SQL. */
function plain(where: unknown): unknown {
  if (Array.isArray(where)) return where.map(plain);
  if (typeof where !== 'object' || where === null) return where;
  return Object.fromEntries(
    // A raw key is a string in MikroORM 6 and a symbol in 7.
    Reflect.ownKeys(where).map((key) => {
      const raw = RawQueryFragment.getKnownFragment(key as string);
      return raw
        ? [raw.sql, raw.params]
        : [key, plain((where as Record<PropertyKey, unknown>)[key])];
    }),
  );
}

/** SQL with its names filled in, and the other parameters: MikroORM 7 passes names as parameters. */
function named(sql: string, parameters: readonly unknown[]): [string, unknown[]] {
  const values: unknown[] = [];
  let i = 0;
  const written = sql.replace(/\?\??/g, (place) => {
    const parameter = parameters[i++];
    if (place === '??') return `\`${String(parameter)}\``;
    values.push(parameter);
    return place;
  });
  return [written, values];
}

interface Node {
  readonly id: number;
  readonly title: string;
  readonly rank: number | null;
  readonly text?: string | null;
  readonly parent: Node | null;
}
const NODE = new EntitySchema<Node>({
  name: 'Node',
  properties: {
    id: { type: 'integer', primary: true },
    title: { type: 'string' },
    rank: { type: 'integer', nullable: true },
    text: { type: 'text', nullable: true, lazy: true },
    at: { kind: 'embedded', entity: () => PLACE },
    parent: { kind: 'm:1', entity: () => NODE, nullable: true },
  } as never,
});

describe('pages by cursor of MikroORM', () => {
  let orm: MikroORM;
  const nodes = () => orm.em.fork().getRepository<Node>('Node');
  beforeAll(async () => {
    const entities = [NODE, PLACE];
    orm = await MikroORM.init({ driver: SqliteDriver, dbName: ':memory:', entities });
    await createSchema(orm);
    const em = orm.em.fork();
    const at = { city: 'Oslo', zip: '1' };
    for (const row of [
      { id: 1, title: 'a', rank: 3, text: 'z', at, parent: null },
      { id: 2, title: 'b', rank: 2, text: 'x', at, parent: 1 },
      { id: 3, title: 'c', rank: 1, text: null, at, parent: 2 },
      { id: 4, title: 'd', rank: null, text: 'y', at, parent: 1 },
    ]) {
      em.create<Node>('Node', row as never);
    }
    await em.flush();
  });
  afterAll(() => orm.close(true));

  async function walked(
    wire: object,
    config: MikroOrmQueryConfig,
    populate?: readonly string[],
  ): Promise<object[]> {
    const rows: object[] = [];
    for (let after: string | undefined, more = true; more;) {
      const repository = nodes();
      const query = mikroOrmAdapter(repository).buildKeyset(parseQuery(wire, config), config, {
        secret: 'of tests alone, and long enough',
        after,
      });
      const { where, cursorOf, project, ...page } = query;
      const own = populate && { populate: populate as never };
      const found = await repository.find(where, { ...page, ...own });
      rows.push(...found.map((row) => project(row)));
      const last = found.at(-1);
      after = last && cursorOf(last);
      more = last !== undefined && rows.length < 9;
    }
    return rows;
  }

  it('have no members of rows that are also parents of others', async () => {
    const config = { sortable: ['parent.rank'], selectable: ['title', 'at.city'] };
    const wire = { fields: 'title,at.city', sort: 'parent.rank:asc', limit: '4' };
    const at = { city: 'Oslo' };
    expect(await walked(wire, config, ['parent'])).toEqual([
      { id: 3, title: 'c', at },
      { id: 2, title: 'b', at },
      { id: 4, title: 'd', at },
      { id: 1, title: 'a', at },
    ]);
  });

  it('load a lazy property that is a sort key', async () => {
    const config = { sortable: ['text'] };
    const wire = { sort: 'text:asc', limit: '1' };
    const rows = (await walked(wire, config)) as Node[];
    expect(rows.map(({ id }) => id)).toEqual([2, 4, 1, 3]);
  });

  it('refuse cursors of rows that were fetched without it', async () => {
    const config = { sortable: ['text'] };
    const wire = { sort: 'text:asc', limit: '1' };
    await expect(walked(wire, config, [])).rejects.toThrow(InvalidQueryConfigError);
  });
});

describe('a timestamp that a default of SQLite writes as text', () => {
  const DEFAULTS = {
    now: { type: 'Date', defaultRaw: 'current_timestamp' },
    text: { type: 'Date', defaultRaw: `(strftime('%Y-%m-%d %H:%M:%f', 'now'))` },
    made: { type: 'Date', defaultRaw: 'current_timestamp', onCreate: () => new Date() },
    number: { type: 'Date', defaultRaw: '(unixepoch() * 1000)' },
  };
  const config = { sortable: Object.keys(DEFAULTS) };

  it('is no sort key of cursors', async () => {
    const entity = new EntitySchema<{ id: number }>({
      name: 'Stamp',
      properties: { id: { type: 'integer', primary: true }, ...(DEFAULTS as object) },
    });
    const options = { driver: SqliteDriver, dbName: ':memory:', entities: [entity] };
    const orm = await MikroORM.init(options as unknown as Options);
    const { build, buildKeyset } = mikroOrmAdapter(orm.em.fork().getRepository(entity));
    const refused = config.sortable.filter((field) => {
      const parsed = parseQuery({ sort: `${field}:asc` }, config);
      build(parsed, config);
      try {
        buildKeyset(parsed, config, { secret: 'sixteen or more bytes' });
        return false;
      } catch (error) {
        const problem = { kind: 'sort', field, reason: 'not-expressible' };
        expect(error).toMatchObject({ errors: [problem] });
        return true;
      }
    });
    expect(refused).toEqual(['now', 'text']);
    await orm.close(true);
  });
});
