// Needs PostgreSQL.
// With a generated client on a PostgreSQL server, as prisma.spec.ts.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prismaAdapter, type PrismaQueryConfig } from '@fledge/query/prisma';
import { InvalidQueryConfigError, parseQuery } from '@fledge/query';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { memoryAdapter } from '../../src/memory/index.js';
import { pageOf } from '../support/cursors.js';
import { describeRelations } from '../support/related.js';
import { RELATED_CONFIG, RELATED_TASKS, type Row } from '../support/related-rows.js';
import { openRelated } from '../support/related-tables.js';

const FOLDER =
  process.env['FLEDGE_PRISMA'] ?? fileURLToPath(new URL('../prisma/', import.meta.url));

/** `owner.id` is required and the owner is not, so Prisma cannot order by it. */
const { 'owner.id': required, ...sortable } = RELATED_CONFIG.sortable;
const CONFIG = {
  ...RELATED_CONFIG,
  sortable,
  provider: 'postgresql',
} as const satisfies PrismaQueryConfig;

interface Client {
  readonly chore: {
    findMany(args: object): Promise<Row[]>;
    count(args: object): Promise<number>;
  };
  $disconnect(): Promise<void>;
}

/** The tables under the names of the Prisma schema, and `task_tags` as the table of a relation between lists. */
const VIEWS = {
  teams: 'select * from',
  people: 'select * from',
  skills: 'select * from',
  tasks: 'select * from',
  tags: 'select * from',
  comments: 'select * from',
  marks: 'select * from',
  task_tags: 'select task_id as "A", tag_id as "B" from',
} as const;
const viewOf = (table: keyof typeof VIEWS): string => {
  if (table === 'task_tags') return '"_ChoreToTag"';
  return `fledge_prisma_${table === 'tasks' ? 'chores' : table}`;
};

async function openClient() {
  const place = await openRelated('postgres');
  if (!place) return undefined;
  execFileSync(process.execPath, ['prepare.mjs'], { cwd: FOLDER, stdio: 'inherit' });
  const pool = new pg.Pool({ connectionString: place.url });
  const tables = Object.keys(VIEWS) as (keyof typeof VIEWS)[];
  const dropped = `drop view if exists ${tables.map(viewOf).join(', ')}`;
  await pool.query(dropped);
  for (const table of tables) {
    await pool.query(`create view ${viewOf(table)} as ${VIEWS[table]} ${place.named(table)}`);
  }
  const require = createRequire(join(FOLDER, 'package.json'));
  const { PrismaClient } = require('tasks-client') as { PrismaClient: new (o: object) => Client };
  const { PrismaPg } = require('@prisma/adapter-pg') as { PrismaPg: new (o: object) => object };
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: place.url }) });
  return {
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.query(dropped);
      await pool.end();
      await place.close();
    },
  };
}

describeRelations(
  'Prisma on PostgreSQL',
  async () => {
    const opened = await openClient();
    if (!opened) return undefined;
    const { prisma, close } = opened;
    const include = { owner: { include: { team: true } } };
    return {
      async find(parsed) {
        const { count, ...find } = prismaAdapter.build(parsed, CONFIG);
        const rows = await prisma.chore.findMany(find);
        return { ids: rows.map(({ id }) => id), total: await prisma.chore.count(count) };
      },
      async page(parsed, options) {
        const { cursorOf, ...find } = prismaAdapter.buildKeyset(parsed, CONFIG, options);
        return pageOf(await prisma.chore.findMany({ ...find, include }), cursorOf);
      },
      close,
    };
  },
  { unsortable: ['owner.id'] },
);

describe('relations of Prisma', () => {
  it('are read as sort keys beside the fields that were asked for, and cut', async () => {
    const opened = await openClient();
    if (!opened) return;
    const config = { ...CONFIG, selectable: ['title'] } as const;
    const parsed = parseQuery({ fields: 'title', sort: 'owner.name:asc', limit: '7' }, config);
    const query = prismaAdapter.buildKeyset(parsed, config, { secret: SECRET, lookAhead: false });
    const { cursorOf, project, ...find } = query;
    const rows = await opened.prisma.chore.findMany(find).finally(() => opened.close());
    expect(rows).toHaveLength(7);
    expect(rows.map(cursorOf)).toHaveLength(7);
    expect(rows.map(project)).toEqual(rows.map(({ id, title }) => ({ id, title })));
  });

  it('order by a required field only if each row has the related row', () => {
    const changed = (owner: object): PrismaQueryConfig => ({
      ...CONFIG,
      sortable: { id: 'integer', 'owner.id': required },
      relations: { ...CONFIG.relations, owner },
    });
    expect(() => prismaAdapter.check(changed({}))).toThrow(InvalidQueryConfigError);
    expect(() => prismaAdapter.check(changed({}))).toThrow(
      'Field "owner.id" is sortable and not nullable, but a row may have no "owner", and Prisma cannot put such rows last. ' +
        `If every row has "owner", write relations: { 'owner': { required: true } }. ` +
        'Otherwise, remove the field from `sortable`.',
    );
    const config = changed({ required: true });
    const { orderBy } = prismaAdapter.build(parseQuery({ sort: 'owner.id:desc' }, config), config);
    expect(orderBy).toEqual([{ owner: { id: 'desc' } }, { id: 'asc' }]);
  });

  it('put rows without the related row first with nulls: first', async () => {
    const opened = await openClient();
    if (!opened) return;
    const config = { ...CONFIG, nulls: 'first' } as const;
    for (const sort of ['owner.name:asc', 'owner.name:desc']) {
      const parsed = parseQuery({ sort, limit: '100' }, config);
      const { where, orderBy, take } = prismaAdapter.build(parsed, config);
      const found = await opened.prisma.chore.findMany({ where, orderBy, take });
      const { comparator } = memoryAdapter.build(parsed, config);
      const wanted = RELATED_TASKS.toSorted(comparator);
      expect(wanted[0]).toHaveProperty('owner', null);
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    }
    await opened.close();
  });

  it('refuse the order of several rows', () => {
    const config: PrismaQueryConfig = { ...CONFIG, sortable: { 'tags.name': 'string' } };
    expect(() => prismaAdapter.check(config)).toThrow('the relation "tags" is to-many.');
  });
});

const SECRET = 'of tests alone, and long enough';
