// The TypeORM functions of libs/query/docs/typeorm.md run, as tsc compiles them.
import * as query from '@fledge/query';
import * as adapter from '@fledge/query/typeorm';
import { expect, it } from '@jest/globals';
import * as typeorm from 'typeorm';
import { emittedByTsc } from '../support/emitted-by-tsc.js';
import { blocksOf } from '../support/snippets.js';

type List = (tasks: object, ...rest: unknown[]) => Promise<{ data: object[]; meta: object }>;

it('listTasks and listMine answer', async () => {
  const code = blocksOf('libs/query/docs/typeorm.md', 'ts').find((block) =>
    block.includes('listMine'),
  );
  const { Task, listTasks, listMine } = emittedByTsc(code ?? '', {
    '@fledge/query': query,
    '@fledge/query/typeorm': adapter,
    typeorm,
  }) as { Task: new () => { title: string; owner: number }; listTasks: List; listMine: List };
  const source = new typeorm.DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Task],
    synchronize: true,
  });
  await source.initialize();
  const tasks = source.getRepository(Task);
  await tasks.insert(['a', 'b', 'c'].map((title, i) => ({ title, owner: i % 2 })));

  const all = await listTasks(tasks, { sort: 'title:desc', limit: '2' });
  expect(all).toEqual({
    data: [
      { id: 3, title: 'c', owner: 0 },
      { id: 2, title: 'b', owner: 1 },
    ],
    meta: { page: 1, limit: 2, total: 3, totalPages: 2, hasNext: true, hasPrev: false },
  });
  const mine = await listMine(tasks, 0, { filter: 'title:in:a,b', q: 'A' });
  expect(mine).toMatchObject({ data: [{ id: 1 }], meta: { total: 1 } });
  await source.destroy();
});
