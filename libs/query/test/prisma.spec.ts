// With a generated client on a real PostgreSQL.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../src/query.errors.js';
import {
  prismaAdapter,
  type PrismaFindArgs,
  type PrismaProvider,
  type PrismaQueryConfig,
} from '../src/prisma/index.js';
import { openPostgres } from './support/databases.js';
import { TASKS } from './support/dataset.js';
import { describeAgainstOracle } from './support/differential.js';

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

  it('asks for nothing where nothing is asked', () => {
    expect(build([])).toMatchObject({ where: {}, count: { where: {} }, orderBy: [{ id: 'asc' }] });
  });

  it('says what SQLite cannot be asked', () => {
    const provider = 'sqlite';
    expect(build(['title:contains:50'], {}, { provider }).where).toEqual({
      AND: [{ title: { contains: '50' } }],
    });
    for (const ask of [
      () => build(['title:contains:50%'], {}, { provider }),
      () => build([], { q: 'a_b' }, { provider }),
    ]) {
      expect(ask).toThrow(InvalidQueryError);
      expect(ask).toThrow(/not-expressible \(text without % and _\)/);
    }
  });

  it('fails on a provider it does not know', () => {
    const provider = 'mongodb' as PrismaProvider;
    expect(() => build([], {}, { provider })).toThrow(InvalidQueryConfigError);
  });
});

it('pages by cursor through every row once', async () => {
  const database = await openClient();
  if (!database) return;
  const { prisma, close } = database;
  const query = { sort: ['note:desc', 'priority:asc'], limit: '7' };
  const parsed = parseQuery(query, TASKS);
  const secret = 'a secret of the spec, long enough';
  const everything = parseQuery({ ...query, limit: '100' }, TASKS);
  const { where, orderBy, skip, take } = prismaAdapter.build(everything, TASKS_OF_PRISMA);
  const whole = await prisma.task.findMany({ where, orderBy, skip, take });
  const seen: { id: number }[] = [];
  let after: string | undefined;
  do {
    const { cursorOf, ...find } = prismaAdapter.buildKeyset(parsed, TASKS_OF_PRISMA, {
      secret,
      after,
    });
    const page = await prisma.task.findMany(find);
    seen.push(...page);
    const last = page.at(-1);
    after = last && page.length === 7 ? cursorOf(last) : undefined;
  } while (after !== undefined);
  await close();
  expect(seen.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
}, 60_000);

interface Client {
  readonly task: {
    findMany(args: Partial<PrismaFindArgs>): Promise<{ id: number }[]>;
    count(args: { where: object }): Promise<number>;
  };
  $disconnect(): Promise<void>;
}

const TASKS_OF_PRISMA: PrismaQueryConfig = { ...TASKS, provider: 'postgresql' };

/** A generated client on the rows of the dataset; undefined where there is no server. */
async function openClient(): Promise<{ prisma: Client; close(): Promise<void> } | undefined> {
  const postgres = await openPostgres();
  if (!postgres) return undefined;
  const { pool, url, table } = postgres;
  const folder = fileURLToPath(new URL('./prisma/', import.meta.url));
  execFileSync(process.execPath, ['prepare.mjs'], { cwd: folder, stdio: 'inherit' });
  // The schema names its table; the rows are those of the table of this run.
  await pool.query(`drop view if exists ${VIEW}`);
  await pool.query(`create view ${VIEW} as select * from ${table}`);

  const require = createRequire(`${folder}package.json`);
  const { PrismaClient } = require('tasks-client') as { PrismaClient: new (o: object) => Client };
  const { PrismaPg } = require('@prisma/adapter-pg') as { PrismaPg: new (o: object) => object };
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  return {
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.query(`drop view ${VIEW}`);
      await postgres.close();
    },
  };
}

const VIEW = 'fledge_prisma_tasks';

describeAgainstOracle('prisma on PostgreSQL', async () => {
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
