// Needs PostgreSQL.
// With a generated client on a PostgreSQL server.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../../src/query.errors.js';
import {
  cappedCount,
  prismaAdapter,
  type PrismaFindArgs,
  type PrismaProvider,
  type PrismaQueryConfig,
  type PrismaSummarySource,
} from '../../src/prisma/index.js';
import { openPostgres } from '../support/databases.js';
import { ROWS, TASKS } from '../support/dataset.js';
import { describeFields, fieldsPageOf, SELECTABLE } from '../support/fields.js';
import { describeAgainstOracle } from '../support/differential.js';
import { setTimeZone } from '../support/time-zone.js';
import { randomSummaries } from '../support/summaries.js';
import { pageOf } from '../support/cursors.js';
import { expectWholeWalks, sqlChanges } from '../support/changing-walk.js';
import { type Walker, wrongWalks } from '../support/walk.js';
import { type Kind, type Kinds, POSTGRES_KINDS, tableSql } from '../support/walk-tables.js';

/** Where Prisma is installed: by scripts/peers.mjs, another version. */
const FOLDER =
  process.env['FLEDGE_PRISMA'] ?? fileURLToPath(new URL('../prisma/', import.meta.url));

const config = {
  columns: {
    status: { type: 'enum', values: ['open', 'done'], nullable: false },
    priority: 'integer',
    title: { type: 'string', nullable: false },
    owner: { type: 'string', name: 'owner.name' },
    due: 'date',
    createdAt: { type: 'timestamp', nullable: false },
    id: { type: 'integer', nullable: false },
  },
  searchColumns: ['title', 'owner'],
  primaryKey: 'id',
  provider: 'postgresql',
} as const satisfies PrismaQueryConfig;

const build = (filter: string[], more: object = {}, changes: Partial<PrismaQueryConfig> = {}) => {
  const changed: PrismaQueryConfig = { ...config, ...changes };
  const parsed = parseQuery({ filter, ...more }, changed, { operators: ['nin', 'isnull'] });
  return prismaAdapter.build(parsed, changed);
};

describe('prismaAdapter', () => {
  it('gives the arguments of findMany and of count', () => {
    const query = build(
      [
        'status:eq:open',
        'priority:gte:3',
        'title:contains:50%_\\',
        'id:in:1,2',
        'createdAt:between:2026-01-01,2026-02-01',
        'owner:starts:A',
        'due:lt:2026-03-01',
        'priority:isnull:false',
        'id:in:,',
      ],
      { sort: ['createdAt:desc', 'priority:asc'], page: '2', limit: '10', q: 'dep' },
    );
    const where = {
      AND: [
        { status: { equals: 'open' } },
        { priority: { gte: 3 } },
        { title: { contains: '50\\%\\_\\\\', mode: 'insensitive' } },
        { id: { in: [1, 2] } },
        { createdAt: { gte: new Date('2026-01-01'), lte: new Date('2026-02-01') } },
        { owner: { name: { startsWith: 'A', mode: 'insensitive' } } },
        { due: { lt: new Date('2026-03-01') } },
        { priority: { not: null } },
        { id: { in: [] } },
        {
          OR: [
            { title: { contains: 'dep', mode: 'insensitive' } },
            { owner: { name: { contains: 'dep', mode: 'insensitive' } } },
          ],
        },
      ],
    };
    expect(query).toEqual({
      where,
      orderBy: [{ createdAt: 'desc' }, { priority: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
      skip: 10,
      take: 10,
      count: { where },
    });
  });

  it('gives an empty where without conditions', () => {
    expect(build([])).toMatchObject({ where: {}, count: { where: {} }, orderBy: [{ id: 'asc' }] });
  });

  it('refuses wildcards in text on SQLite', () => {
    const provider = 'sqlite';
    expect(build(['title:contains:50'], {}, { provider }).where).toEqual({
      AND: [{ title: { contains: '50' } }],
    });
    for (const ask of [
      () => build(['title:contains:50%'], {}, { provider }),
      () => build([], { q: 'a_b' }, { provider }),
    ]) {
      expect(ask).toThrow(InvalidQueryError);
      expect(ask).toThrow(/not-expressible \(expected: string without % and _\)/);
    }
  });

  it('refuses an unknown provider', () => {
    const provider = 'mongodb' as PrismaProvider;
    expect(() => build([], {}, { provider })).toThrow(InvalidQueryConfigError);
  });
});

it.each(['last', 'first'] as const)('pages by cursor, each row once, NULLs %s', async (nulls) => {
  const database = await openClient();
  if (!database) return;
  const { prisma, close } = database;
  const query = { sort: ['note:desc', 'priority:asc'], limit: '7' };
  const parsed = parseQuery(query, TASKS);
  const config = { ...TASKS_OF_PRISMA, nulls };
  const secret = 'a secret of the spec, long enough';
  const everything = parseQuery({ ...query, limit: '100' }, TASKS);
  const { where, orderBy, skip, take } = prismaAdapter.build(everything, config);
  const whole = await prisma.task.findMany({ where, orderBy, skip, take });
  const seen: { id: number }[] = [];
  let after: string | undefined;
  do {
    const { cursorOf, ...find } = prismaAdapter.buildKeyset(parsed, config, {
      secret,
      after,
      lookAhead: false,
    });
    const page = await prisma.task.findMany(find);
    seen.push(...page);
    const last = page.at(-1);
    after = last && page.length === 7 ? cursorOf(last) : undefined;
  } while (after !== undefined);
  await close();
  const { data } = memoryAdapter.build(everything, { ...TASKS, nulls }).apply(ROWS);
  expect(seen.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  expect(whole.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
});

it('keeps your own condition in the page and in the count', async () => {
  const database = await openClient();
  if (!database) return;
  const { prisma, close } = database;
  const mine = ROWS.filter(({ status }) => status === 'held');
  for (const query of [{}, { q: 'a' }, { filter: 'status:eq:open' }, { filter: 'id:gt:0' }]) {
    const parsed = parseQuery({ ...query, limit: '100' }, TASKS);
    const { orderBy, skip, take, ...asked } = prismaAdapter.build(parsed, TASKS_OF_PRISMA);
    const where = { AND: [{ status: 'held' }, asked.where] };
    const { data, total } = memoryAdapter.build(parsed, TASKS).apply(mine);
    const found = await prisma.task.findMany({ where, orderBy, skip, take });
    expect(found.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
    expect(await prisma.task.count({ where })).toBe(total);
    for (const cap of [1, 7, 1000]) {
      const counted = await cappedCount(prisma.task, { where }, cap);
      expect(counted).toEqual({ kind: 'capped', cap, counted: Math.min(total, cap + 1) });
    }
  }
  await close();
});

it('answers `in` without items and `isnull` on required columns of every type', async () => {
  const database = await openClient();
  if (!database) return;
  const { prisma, close } = database;
  const ids = async (filter: string) => {
    const parsed = parseQuery({ filter }, CARDS, { operators: ['nin', 'isnull'] });
    const { count, ...find } = prismaAdapter.build(parsed, CARDS);
    const rows = await prisma.card.findMany(find);
    expect([filter, await prisma.card.count(count)]).toEqual([filter, rows.length]);
    return rows.map(({ id }) => id);
  };
  try {
    for (const field of Object.keys(CARDS.columns)) {
      if (field.startsWith('owner')) continue;
      expect([field, await ids(`${field}:in:,`)]).toEqual([field, []]);
      expect([field, await ids(`${field}:nin:,`)]).toEqual([field, [1, 2, 3]]);
      expect([field, await ids(`${field}:isnull:true`)]).toEqual([field, []]);
      expect([field, await ids(`${field}:isnull:false`)]).toEqual([field, [1, 2, 3]]);
    }
    // Card 2 has an owner without a name, card 3 has no owner.
    expect(await ids('owner:isnull:true')).toEqual([2, 3]);
    expect(await ids('owner:isnull:false')).toEqual([1]);
    expect(await ids('owner:in:,')).toEqual([]);
    expect(await ids('owner:nin:,')).toEqual([1]);
    // A required field of an optional relation.
    expect(await ids('ownerKey:isnull:true')).toEqual([3]);
    expect(await ids('ownerKey:isnull:false')).toEqual([1, 2]);
    expect(await ids('ownerKey:nin:,')).toEqual([1, 2]);
  } finally {
    await close();
  }
});

it('gives arguments that fit the generated client', async () => {
  const database = await openClient();
  if (!database) return;
  await database.close();
  const file = join(FOLDER, 'generated-types.ts');
  const adapter = fileURLToPath(new URL('../../src/prisma/index.js', import.meta.url));
  writeFileSync(
    file,
    `import { type PrismaKeysetQuery, type PrismaQuery } from ${JSON.stringify(adapter)};
     import { PrismaClient } from 'tasks-client';
     export async function page(prisma: PrismaClient, query: PrismaQuery, keyset: PrismaKeysetQuery) {
       const { count, ...find } = query;
       const { cursorOf, ...behind } = keyset;
       const rows = await prisma.task.findMany(find);
       const total: number = await prisma.task.count(count);
       const mine = { AND: [{ ownerId: 7 }, find.where] };
       const cards = await prisma.card.findMany({ ...find, where: mine, select: { title: true } });
       const next = await prisma.task.findMany(behind);
       return [rows[0]?.due?.getTime(), total, cards[0]?.title, next.map(cursorOf)];
     }`,
  );
  try {
    const program = ts.createProgram([file], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      types: ['node'],
      typeRoots: [fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url))],
    });
    const source = program.getSourceFile(file);
    const messages = program
      .getSemanticDiagnostics(source)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  } finally {
    rmSync(file);
  }
});

const CARDS = {
  columns: {
    id: { type: 'integer', nullable: false },
    title: { type: 'string', nullable: false },
    count: { type: 'integer', nullable: false },
    large: { type: 'bigint', nullable: false },
    part: { type: 'number', nullable: false },
    price: { type: 'decimal', nullable: false },
    done: { type: 'boolean', nullable: false },
    state: { type: 'enum', values: ['open', 'done'], nullable: false },
    day: { type: 'date', nullable: false },
    hour: { type: 'time', nullable: false },
    at: { type: 'timestamp', nullable: false },
    uid: { type: 'uuid', nullable: false },
    owner: { type: 'string', name: 'owner.name' },
    ownerKey: { type: 'integer', name: 'owner.id', nullable: false },
  },
  primaryKey: 'id',
  provider: 'postgresql',
} as const satisfies PrismaQueryConfig;

describe('pages through every order by cursor', () => {
  afterAll(() => setTimeZone(undefined));

  it.each(['UTC', 'Asia/Kolkata', 'America/New_York'])(
    'in %s',
    async (zone) => {
      const database = await openClient();
      if (!database) return;
      setTimeZone(zone);
      const walker = walkerOf(database.prisma);
      expect(await wrongWalks(walker).finally(() => database.close())).toEqual([]);
    },
    120_000,
  );

  it('shows each row that stays once, however the list changes', async () => {
    const database = await openClient();
    if (!database) return;
    const changes = sqlChanges(database.run, 'fledge_prisma_walk', WALK_TABLE.insert);
    const walker = walkerOf(database.prisma);
    await expectWholeWalks(walker, changes).finally(() => database.close());
    expect(walker.kinds).toContain('ratio');
  });

  function walkerOf({ walk }: Client): Walker {
    const include = { owner: true };
    return {
      name: 'Prisma',
      kinds: Object.keys(WALK.columns).filter((name) => name !== 'id'),
      async list(parsed) {
        const { where, orderBy } = prismaAdapter.build(parsed, WALK);
        return (await walk.findMany({ where, orderBy, include })).map(({ id }) => id);
      },
      async page(parsed, options) {
        const { cursorOf, ...find } = prismaAdapter.buildKeyset(parsed, WALK, options);
        return pageOf(await walk.findMany({ ...find, include }), cursorOf);
      },
      close: () => Promise.resolve(),
    };
  }

  it('requires asText for an enum', () => {
    const columns = {
      ...WALK.columns,
      mood: { type: 'enum', values: ['open', 'done', 'held'] },
    } as const;
    const parsed = parseQuery({ sort: 'mood:asc' }, { columns });
    const options = { secret: 'a secret of the spec, long enough' };
    expect(() => prismaAdapter.buildKeyset(parsed, { ...WALK, columns }, options)).toThrow(
      'sort "mood" not-expressible',
    );
    const required = {
      type: 'enum',
      values: ['open', 'done', 'held'],
      asText: false,
      nullable: false,
    } as const;
    const declared = { ...WALK, columns: { ...columns, mood: required } };
    const { cursorOf } = prismaAdapter.buildKeyset(parsed, declared, options);
    const after = cursorOf({ id: 7, mood: 'open' });
    expect(prismaAdapter.buildKeyset(parsed, declared, { ...options, after }).where).toEqual({
      AND: [
        {
          AND: [
            { mood: { in: ['open', 'done', 'held'] } },
            {
              OR: [
                { mood: { in: ['done', 'held'] } },
                { AND: [{ mood: { equals: 'open' } }, { id: { gt: 7 } }] },
              ],
            },
          ],
        },
      ],
    });
  });

  it('refuses rows without the relation of a sort key', () => {
    const parsed = parseQuery({ sort: 'owner:asc' }, WALK);
    const options = { secret: 'a secret of the spec, long enough' };
    const { cursorOf } = prismaAdapter.buildKeyset(parsed, WALK, options);
    expect(() => cursorOf({ id: 1 })).toThrow(
      'A row has no value of type string for the sort key "owner"',
    );
    expect(cursorOf({ id: 1, owner: null })).toBe(cursorOf({ id: 1, owner: { name: null } }));
  });
});

const WALK = {
  columns: {
    id: { type: 'integer', nullable: false },
    text: 'string',
    whole: 'integer',
    big: 'bigint',
    ratio: 'number',
    price: 'decimal',
    flag: 'boolean',
    state: { type: 'enum', values: ['open', 'done'], asText: false },
    mood: { type: 'enum', values: ['open', 'done', 'held'], asText: true },
    day: 'date',
    clock: 'time',
    moment: 'timestamp',
    naive: 'timestamp',
    token: 'uuid',
    owner: { type: 'string', name: 'owner.name' },
  },
  primaryKey: 'id',
  provider: 'postgresql',
} as const satisfies PrismaQueryConfig;

/** The kinds that Prisma can read; `naive` and `day` without infinity. */
const { text, whole, big, flag, mood, day, moment, naive, token } = POSTGRES_KINDS as Record<
  string,
  Kind
>;
const WALK_KINDS = {
  text,
  whole,
  big,
  ratio: { sql: 'double precision', column: 'number', values: ['0.1', '1e300', '-2.5'] },
  price: {
    sql: 'numeric',
    column: 'decimal',
    values: ['12345678901234567.8900000001', '12345678901234567.89', '-0.5', '1e25'],
  },
  flag,
  state: { sql: 'fledge_prisma_state', column: 'string', values: ["'open'", "'done'"] },
  mood: { ...mood, sql: 'text collate "C"' },
  day,
  clock: { sql: 'time(3)', column: 'time', values: ["'9:05'", "'09:05:00.25'", "'00:00'"] },
  moment,
  naive,
  token,
  owner_id: {
    sql: 'integer references fledge_prisma_owners',
    column: 'integer',
    values: ['1', '2', '3'],
  },
} as Kinds;
const WALK_TABLE = tableSql('fledge_prisma_walk', WALK_KINDS);

interface Client {
  readonly walk: {
    findMany(args: Partial<PrismaFindArgs> & { include: object }): Promise<{ id: number }[]>;
  };
  readonly card: {
    findMany(args: PrismaFindArgs): Promise<{ id: number }[]>;
    count(args: { where: object }): Promise<number>;
  };
  readonly task: PrismaSummarySource & {
    findMany(args: Partial<PrismaFindArgs>): Promise<{ id: number }[]>;
    count(args: { where: object; take?: number }): Promise<number>;
  };
  $disconnect(): Promise<void>;
}

const TASKS_OF_PRISMA: PrismaQueryConfig = { ...TASKS, provider: 'postgresql' };

/** A generated client on the dataset; undefined without a server. */
async function openClient(): Promise<
  { prisma: Client; run(sql: string): Promise<unknown>; close(): Promise<void> } | undefined
> {
  const postgres = await openPostgres();
  if (!postgres) return undefined;
  const { pool, url, table } = postgres;
  execFileSync(process.execPath, ['prepare.mjs'], { cwd: FOLDER, stdio: 'inherit' });
  // The schema has a fixed table name, so copy the rows of this run's table.
  await pool.query(`drop view if exists ${VIEW}`);
  await pool.query(`create view ${VIEW} as select * from ${table}`);
  await pool.query(CARD_TABLES);
  await pool.query(`${WALK_TABLE.create}; ${WALK_TABLE.insert}`);

  const require = createRequire(join(FOLDER, 'package.json'));
  const { PrismaClient } = require('tasks-client') as { PrismaClient: new (o: object) => Client };
  const { PrismaPg } = require('@prisma/adapter-pg') as { PrismaPg: new (o: object) => object };
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return {
    prisma,
    run: (sql) => pool.query(sql),
    async close() {
      await prisma.$disconnect();
      await pool.query(`drop view ${VIEW}`);
      await postgres.close();
    },
  };
}

const VIEW = 'fledge_prisma_tasks';
const CARD_TABLES = `
  drop table if exists fledge_prisma_cards, fledge_prisma_walk, fledge_prisma_owners;
  drop type if exists fledge_prisma_state;
  create type fledge_prisma_state as enum ('open', 'done');
  create table fledge_prisma_owners (id int primary key, name text);
  create table fledge_prisma_cards (
    id int primary key, title text not null, count int not null, large bigint not null,
    part float8 not null, price numeric not null, done bool not null,
    state fledge_prisma_state not null, day date not null, hour time not null,
    at timestamp not null, uid uuid not null, owner_id int references fledge_prisma_owners);
  insert into fledge_prisma_owners values (1, 'Ada'), (2, null), (3, 'Bob');
  insert into fledge_prisma_cards
    select id, 'a', 1, 1, 0.5, 1.5, true, 'open', '2026-01-31', '10:00', '2026-01-31', gen_random_uuid(), owner
    from (values (1, 1), (2, 2), (3, null)) as cards (id, owner)`;

describeAgainstOracle('Prisma on PostgreSQL', async () => {
  const database = await openClient();
  return (
    database && {
      async find(parsed) {
        const { count, ...find } = prismaAdapter.build(parsed, TASKS_OF_PRISMA);
        const data = await database.prisma.task.findMany(find);
        return {
          ids: data.map(({ id }) => id),
          total: await database.prisma.task.count(count),
        };
      },
      close: () => database.close(),
    }
  );
});

describeFields('Prisma on PostgreSQL', async () => {
  const database = await openClient();
  if (!database) return undefined;
  const { prisma, close } = database;
  const config = { ...TASKS_OF_PRISMA, selectable: SELECTABLE.selectable };
  return {
    find(parsed) {
      const { count, ...find } = prismaAdapter.build(parsed, config);
      expect(count).not.toHaveProperty('select');
      return prisma.task.findMany(find);
    },
    async page(parsed, options) {
      const { cursorOf, project, ...find } = prismaAdapter.buildKeyset(parsed, config, options);
      return fieldsPageOf(await prisma.task.findMany(find), { cursorOf, project });
    },
    close,
  };
});

describe('summaries of Prisma', () => {
  const lists = {
    facetable: ['status', 'note', 'priority', 'rating', 'price', 'serial', 'done', 'uid'],
    groupable: ['status', 'note', 'priority', 'price', 'done'],
    aggregatable: ['priority', 'rating', 'price', 'serial', 'due', 'created'],
  };
  const conditions = [
    ...['status:eq:open', 'status:in:open,done', 'note:contains:1', 'priority:gte:0', 'id:eq:0'],
    ...['done:eq:true', 'price:lt:9.5', 'created:gte:2026-01-20', 'id:between:10,40'],
  ];
  const trees = ['or(status:eq:open,done:eq:true)', 'not(priority:gt:1)'];

  it('are those of the memory adapter', async () => {
    const database = await openClient();
    if (!database) return;
    const { prisma, close } = database;
    const next = randomSummaries(7, () => false, { lists, conditions, trees });
    const summarized = { ...TASKS, ...lists };
    const onPrisma = { ...TASKS_OF_PRISMA, ...lists };
    try {
      for (let run = 0; run < 150; run++) {
        const wire = next();
        const limits = { maxGroups: run % 2 === 0 ? 100 : 3 };
        const parsed = parseQuery(wire, summarized, { where: true, limits });
        const expected = await memoryAdapter.summarize(parsed, summarized, ROWS);
        const found = await prismaAdapter.summarize(parsed, onPrisma, prisma.task);
        expect([wire, found]).toEqual([wire, expected]);
      }
    } finally {
      await close();
    }
  });

  it.each([
    [{ groupable: ['created'] }, 'groupBy() of Prisma does not support this'],
    [{ facetable: ['owner'] }, 'a field of a related row'],
    [{ aggregatable: [], primaryKey: [] }, 'no `primaryKey`'],
  ])('refuses %j at startup', (changes, message) => {
    const columns = { ...TASKS.columns, owner: { type: 'string', name: 'owner.name' } } as const;
    const wrong = { ...TASKS_OF_PRISMA, columns, ...changes };
    expect(() => prismaAdapter.check(wrong)).toThrow(message);
  });
});
