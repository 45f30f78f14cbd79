// Properties of MikroORM with `ref: true`, whose values are in a ScalarReference.
import { parseQuery } from '@fledge/query';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { EntitySchema, MikroORM } from '@mikro-orm/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSchema, SqliteDriver } from './support/mikro-sqlite.js';

interface Task {
  readonly id: number;
  readonly title: unknown;
  readonly note: unknown;
}

const TaskEntity = new EntitySchema<Task>({
  name: 'Task',
  properties: {
    id: { type: 'integer', primary: true },
    title: { type: 'text', ref: true },
    note: { type: 'text', ref: true, lazy: true, nullable: true },
  },
});

const secret = 'of tests alone, and long enough';
const TASKS = { filterable: ['title'], sortable: ['title', 'note'], selectable: ['title'] };

let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init({ driver: SqliteDriver, dbName: ':memory:', entities: [TaskEntity] });
  await createSchema(orm);
  await orm.em.fork().insertMany(TaskEntity, [
    { id: 1, title: 'a', note: 'z' },
    { id: 2, title: 'b', note: null },
    { id: 3, title: 'c', note: 'y' },
  ]);
});
afterAll(() => orm.close(true));

async function pageOf(sort: string, after: string | undefined, more: object) {
  const tasks = orm.em.fork().getRepository<Task>(TaskEntity);
  const parsed = parseQuery({ sort, limit: '1', ...more }, TASKS);
  const page = mikroOrmAdapter(tasks).buildKeyset(parsed, TASKS, { secret, after });
  const { where, cursorOf, ...options } = page;
  const [row] = await tasks.find(where, options as never);
  return row && { row: page.project(row), next: cursorOf(row) };
}

it.each([
  ['title:desc', [3, 2, 1]],
  ['note:asc', [3, 1, 2]],
])('are sort keys of cursors: %s', async (sort, ids) => {
  const seen: unknown[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await pageOf(sort, after, {});
    if (page === undefined) break;
    seen.push(page.row.id);
    after = page.next;
  }
  expect(seen).toEqual(ids);
});

it('are values in projected rows', async () => {
  const page = await pageOf('note:asc', undefined, { fields: 'title' });
  expect(page?.row).toEqual({ id: 3, title: 'c' });
});
