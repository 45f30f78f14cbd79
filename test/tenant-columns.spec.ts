// Lists of @fledge/query under the guards of @fledge/tenant, if a column has the name of a table.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntitySchema, MikroORM } from '@mikro-orm/core';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { parseQuery } from '@fledge/query';
import { kyselyAdapter } from '@fledge/query/kysely';
import { mikroOrmAdapter, type MikroOrmSummarySource } from '@fledge/query/mikro-orm';
import type { Tenancy } from '@fledge/tenant';
import { tenantPlugin } from '@fledge/tenant/kysely';
import { guardTenants } from '@fledge/tenant/mikro-orm';
import { createSchema, SqliteDriver } from '../libs/query/test/support/mikro-sqlite.js';
import { startTenancy } from '../libs/tenant/test/engines/tenancy.js';
import { closeAll } from './support/platforms.js';

interface Task {
  readonly id: number;
  readonly note: string;
}

let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await startTenancy();
});
afterAll(closeAll);

const QUERIES = [
  { filter: 'note:eq:x one' },
  { filter: 'note:contains:ONE' },
  { q: 'one' },
  { sort: 'note:asc', filter: 'theme:eq:dark' },
  { sort: 'theme:asc' },
];
const parsedBy = (query: object, config: object) =>
  parseQuery(query, config as never, { onInvalid: 'throw' }) as never;

describe('a column with the name of a table, with MikroORM', () => {
  const id = { type: 'integer', primary: true } as const;
  const tenantId = { type: 'text', nullable: true } as const;
  const TaskEntity = new EntitySchema<Task>({
    name: 'Task',
    properties: { id, tenantId, note: { type: 'text' }, settings: { type: 'json' } },
  } as never);
  const NoteEntity = new EntitySchema({ name: 'Note', properties: { id, tenantId } } as never);
  const theme = { name: 'settings', json: ['theme'], type: 'string' } as const;
  const TASKS = {
    columns: { note: 'note', theme },
    searchColumns: ['note'],
    facetable: ['note'],
  } as const;

  let orm: MikroORM;
  beforeAll(async () => {
    const options = {
      driver: SqliteDriver,
      dbName: ':memory:',
      entities: [TaskEntity, NoteEntity],
    };
    orm = await MikroORM.init(guardTenants(options));
    await createSchema(orm);
    for (const [tenant, row] of [
      ['a', { id: 1, note: 'x one' }],
      ['b', { id: 2, note: 'y one' }],
    ] as const) {
      await tenancy.run(tenant, async () => {
        const em = orm.em.fork();
        em.create(TaskEntity, { ...row, settings: { theme: 'dark' } } as never);
        await em.flush();
      });
    }
  });
  afterAll(() => orm.close(true));

  it.each(QUERIES)('finds its rows: %j', async (query) => {
    const rows = await tenancy.run('a', async () => {
      const tasks = orm.em.fork().getRepository<Task>(TaskEntity);
      const { where, ...page } = mikroOrmAdapter(tasks).build(parsedBy(query, TASKS), TASKS);
      return tasks.find(where, page as never);
    });
    expect(rows.map((row) => row.id)).toEqual([1]);
  });

  it('has facets', async () => {
    const { facets } = await tenancy.run('a', () => {
      const em = orm.em.fork();
      const rows = (em as unknown as { qb(entity: object): MikroOrmSummarySource }).qb(TaskEntity);
      const adapter = mikroOrmAdapter<Task>(em.getRepository<Task>(TaskEntity));
      return adapter.summarize(parsedBy({ facets: 'note' }, TASKS), TASKS, rows);
    });
    expect(facets).toEqual({ note: { groups: [{ value: 'x one', count: 1 }], total: 1 } });
  });
});

describe('a column with the name of a table, with Kysely', () => {
  // With the table, because Kysely's plugin cannot tell a bare name in raw SQL from a table.
  const TASKS = {
    columns: {
      id: 'integer',
      note: { type: 'string', name: 'task.note' },
      theme: 'string',
      'folder.note': 'string',
    },
    relations: { folder: { table: 'folder', on: { id: 'task.folder_id' } } },
    searchColumns: ['note'],
    facetable: ['note', 'folder.note'],
    primaryKey: 'id',
  } as const;

  const file = new Database(':memory:');
  file.exec(`
    create table task (id integer, tenant_id text, note text, theme text, folder_id integer);
    create table folder (id integer, tenant_id text, note text);
    create table note (id integer, tenant_id text);
    insert into task values (1, 'a', 'x one', 'dark', 1), (2, 'b', 'y one', 'dark', 2);
    insert into folder values (1, 'a', 'n'), (2, 'b', 'n');`);
  const plugins = [tenantPlugin({ tables: ['task', 'folder', 'note'] })];
  const db = new Kysely<{ task: Task }>({
    dialect: new SqliteDialect({ database: file }),
    plugins,
  });
  afterAll(() => db.destroy());

  it.each([...QUERIES, { filter: 'folder.note:contains:N' }, { sort: 'folder.note:asc' }])(
    'finds its rows: %j',
    async (query) => {
      const { apply } = kyselyAdapter.build(parsedBy(query, TASKS), TASKS);
      const rows = await tenancy.run('a', () =>
        apply(db.selectFrom('task').selectAll('task')).execute(),
      );
      expect(rows.map((row) => row.id)).toEqual([1]);
    },
  );

  it('has facets', async () => {
    const parsed = parsedBy({ facets: 'note,folder.note' }, TASKS);
    const { facets } = await tenancy.run('a', () =>
      kyselyAdapter.summarize(parsed, TASKS, db.selectFrom('task')),
    );
    const of = (value: string) => ({ groups: [{ value, count: 1 }], total: 1 });
    expect(facets).toEqual({ note: of('x one'), 'folder.note': of('n') });
  });
});
