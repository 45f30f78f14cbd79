// What ORMs add to a query holds for capped and estimated totals too.
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import { describe, expect, it } from '@jest/globals';
import { DataSource, EntitySchema } from 'typeorm';
import {
  cappedCount as cappedByMikro,
  estimatedCount as estimatedByMikro,
  mikroOrmAdapter,
} from '../src/mikro-orm/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { cappedCount, estimatedCount, typeOrmAdapter } from '../src/typeorm/index.js';
import { createSchema, SqliteDriver } from './support/mikro-sqlite.js';

interface Task {
  readonly id: number;
  readonly title: string;
}

interface RemovableTask extends Task {
  readonly deletedAt?: Date | null;
}

const NAMES = { filterable: ['id', 'title'], sortable: ['id'] } as const;

describe('TypeORM', () => {
  it('counts an entity once, however many rows are joined, and leaves out removed ones', async () => {
    const entity = new EntitySchema<RemovableTask>({
      name: 'Task',
      columns: {
        id: { type: Number, primary: true },
        title: { type: String },
        deletedAt: { type: Date, deleteDate: true, nullable: true },
      },
    });
    const source = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [entity],
      synchronize: true,
    });
    const tasks = (await source.initialize()).getRepository(entity);
    const rows = Array.from({ length: 12 }, (_, i) => ({ id: i + 1, title: `t${i % 3}` }));
    await tasks.insert([...rows, { id: 13, title: 't0', deletedAt: new Date() }]);
    const parsed = parseQuery({ filter: 'id:gt:2', limit: '3', page: '2' }, NAMES);
    const builder = typeOrmAdapter(tasks)
      .build(parsed, NAMES)
      .applyTo(
        tasks
          .createQueryBuilder('task')
          .leftJoinAndSelect(entity.options.name, 'other', 'other.title = task.title'),
      );
    expect(await cappedCount(builder, 4)).toMatchObject({ counted: 5 });
    expect(await cappedCount(builder, 100)).toMatchObject({ counted: 10 });
    expect(await estimatedCount(builder, 4)).toMatchObject({ total: 10, isExact: true });
    expect(await builder.getCount()).toBe(10);
    await source.transaction(async (manager) => {
      await manager.getRepository(entity).insert({ id: 20, title: 'new' });
      const inside = manager.getRepository(entity).createQueryBuilder('task');
      expect(await cappedCount(inside, 100)).toMatchObject({ counted: 13 });
    });
    await source.destroy();
  });
});

describe('MikroORM', () => {
  it('applies the filters of the entity, your own condition, and the transaction', async () => {
    const entity = new MikroSchema<Task>({
      name: 'Task',
      properties: { id: { type: 'integer', primary: true }, title: { type: 'string' } },
      filters: { visible: { name: 'visible', cond: { title: { $ne: 'hidden' } }, default: true } },
    });
    const orm = await MikroORM.init({
      driver: SqliteDriver,
      dbName: ':memory:',
      entities: [entity],
    } as never);
    await createSchema(orm);
    const em = orm.em.fork();
    const rows = Array.from({ length: 12 }, (_, i) => ({
      id: i + 1,
      title: i % 3 === 0 ? 'hidden' : 'shown',
    }));
    await em.insertMany('Task', rows);
    const tasks = em.getRepository<Task>('Task');
    const query = mikroOrmAdapter(tasks).build(parseQuery({}, NAMES), NAMES);
    expect(await cappedByMikro(tasks, query, 100)).toMatchObject({ counted: 8 });
    expect(await estimatedByMikro(tasks, query, 3)).toMatchObject({ total: 8, isExact: true });
    const mine = {
      get where() {
        return { $and: [{ id: { $lte: 4 } }, query.where] };
      },
    };
    expect(await cappedByMikro(tasks, mine as never, 100)).toMatchObject({ counted: 2 });
    await em.transactional(async (inside) => {
      await inside.insert('Task', { id: 20, title: 'new' });
      const within = inside.getRepository<Task>('Task');
      expect(await cappedByMikro(within, query, 100)).toMatchObject({ counted: 9 });
    });
    await orm.close();
  });
});
