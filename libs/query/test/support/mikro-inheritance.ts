import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as core from '@mikro-orm/core';
import { mikroOrmAdapter, type MikroOrmQueryConfig } from '@fledge/query/mikro-orm';
import { parseQuery } from '@fledge/query';
import { createSchema, SqliteDriver } from './mikro-sqlite.js';

const { EntitySchema, MikroORM } = core;

class Person {
  id!: number;
  name!: string;
  settings!: object;
}
class Employee extends Person {
  salary!: number;
}
class Desk {
  id!: number;
  owner!: Employee;
}

const PersonEntity = new EntitySchema<Person>({
  class: Person,
  inheritance: 'tpt',
  properties: {
    id: { type: 'integer', primary: true },
    name: { type: 'text' },
    settings: { type: 'json' },
  },
} as never);
const EmployeeEntity = new EntitySchema<Employee>({
  class: Employee,
  extends: PersonEntity,
  properties: { salary: { type: 'integer' } },
} as never);
const DeskEntity = new EntitySchema<Desk>({
  class: Desk,
  properties: {
    id: { type: 'integer', primary: true },
    owner: { kind: 'm:1', entity: () => EmployeeEntity },
  },
} as never);

/** Columns of an inherited table, with table-per-type inheritance. Only MikroORM 7 has it. */
export function describeTablePerType(): void {
  if (!('defineEntity' in core)) return;

  describe('an entity with its own and an inherited table', () => {
    let orm: core.MikroORM;
    beforeAll(async () => {
      orm = await MikroORM.init({
        driver: SqliteDriver,
        dbName: ':memory:',
        entities: [PersonEntity, EmployeeEntity, DeskEntity],
      });
      await createSchema(orm);
      const em = orm.em.fork();
      em.create(Employee, { id: 1, name: 'Ann', settings: { theme: 'b' }, salary: 3 } as never);
      em.create(Employee, { id: 2, name: 'Bob', settings: { theme: 'a' }, salary: 2 } as never);
      await em.flush();
      em.create(Desk, { id: 1, owner: 2 } as never);
      em.create(Desk, { id: 2, owner: 1 } as never);
      await em.flush();
    });
    afterAll(() => orm.close(true));

    const found = async (of: typeof Employee | typeof Desk, query: object, paths: object) => {
      const config = paths as MikroOrmQueryConfig;
      const rows = orm.em.fork().getRepository<{ id: number }>(of as never);
      const parsed = parseQuery(query, config as never, { onInvalid: 'throw' });
      const { where, ...page } = mikroOrmAdapter(rows).build(parsed as never, config);
      return (await rows.find(where, page as never)).map(({ id }) => id);
    };
    const theme = { name: 'settings', json: ['theme'], type: 'string' };
    const EMPLOYEES = {
      columns: { name: 'name', salary: 'salary', theme },
      searchColumns: ['name'],
    };

    it.each([
      [{ filter: 'name:eq:Ann' }, [1]],
      [{ filter: 'name:contains:NN' }, [1]],
      [{ filter: 'theme:eq:a' }, [2]],
      [{ q: 'bo' }, [2]],
      [{ filter: 'salary:gt:2', sort: 'name:desc' }, [1]],
      [{ sort: 'name:desc' }, [2, 1]],
    ])('is found by %j', async (query, ids) => {
      expect(await found(Employee, query, EMPLOYEES)).toEqual(ids);
    });

    it.each([
      [{ filter: 'owner.name:contains:NN' }, [2]],
      [{ sort: 'owner.name:desc' }, [1, 2]],
    ])('is related: %j', async (query, ids) => {
      expect(await found(Desk, query, { columns: { 'owner.name': 'owner.name' } })).toEqual(ids);
    });
  });
}
