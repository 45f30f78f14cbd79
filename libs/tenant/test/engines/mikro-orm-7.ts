// What MikroORM 7 can do and 6 cannot, for ../mikro-orm.spec.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EntityManager, EntitySchema, raw } from '@mikro-orm/core';
import {
  type Tenancy,
  TenantOptionError,
  TenantRowMismatchError,
  TenantUnguardedError,
} from '@fledge/tenant';
import {
  Country,
  entities,
  Folder,
  kyselyOf,
  type MikroEngine,
  Note,
  openMikro,
  type OpenedMikro,
  unguarded,
} from './mikro-databases.js';

/** The first versions of 7 have no em.clone(), nor what came with it. */
const IS_FIRST_7 = !('clone' in EntityManager.prototype);

/** What the types of MikroORM 6 lack. */
interface Manager7 {
  qb(entity: unknown, alias?: string): Query7;
  find(entity: unknown, where: object, options?: object): Promise<Record<string, unknown>[]>;
  nativeUpdate(entity: unknown, where: object, data: object, options?: object): Promise<number>;
  nativeDelete(entity: unknown, where: object, options?: object): Promise<number>;
  clone(entity: unknown, where: object, data?: object): Promise<object>;
  countBy(entity: unknown, property: string): Promise<Record<string, number>>;
  stream(entity: unknown, options: object): AsyncIterable<{ text: string }>;
}

type Step = 'select' | 'where' | 'with' | 'from' | 'leftJoin' | 'unionAll' | 'limit' | 'insertFrom';
type Query7 = Record<Step, (...args: unknown[]) => Query7> & {
  as(alias: string): unknown;
  clone(): Query7;
  toRaw(): object;
  execute(): Promise<Record<string, unknown>[]>;
  getResult(): Promise<object[]>;
  getCount(): Promise<number>;
  leftJoinAndSelect(field: string, alias: string): Query7;
  stream(): AsyncIterable<{ text: string }>;
};

export function describeVersion7(engine: MikroEngine, tenancyOf: () => Tenancy): void {
  describe(`guardTenants of MikroORM 7 on ${engine}`, () => {
    let opened: OpenedMikro;
    let em: Manager7;
    beforeAll(async () => {
      opened = await openMikro(engine);
      em = opened.em as unknown as Manager7;
    });
    beforeEach(() => opened.reset());
    afterAll(() => opened.close());

    const inA = <R>(run: () => R) => tenancyOf().run('a', run);
    const inB = <R>(run: () => R) => tenancyOf().run('b', run);
    const refused = (run: () => unknown) =>
      expect(inA(async () => await run())).rejects.toThrow(TenantUnguardedError);
    const notes = () => em.qb(Note, 'n').select('n.id');
    const collect = async (rows: AsyncIterable<{ text: string }>) => {
      const texts: string[] = [];
      for await (const { text } of rows) texts.push(text);
      return texts;
    };

    it('guards the expressions of with()', async () => {
      const own = () => em.qb(Note).with('x', em.qb(Note).select('*')).select('*').from('x', 'x');
      expect(await inA(() => own().execute())).toMatchObject([{ text: 'A1' }]);
      expect(await inB(() => own().execute())).toHaveLength(2);
      const built = await inA(() => own());
      await expect(inB(() => built.execute())).rejects.toThrow(TenantRowMismatchError);
      const named = (sql: unknown) => em.qb(Country).with('x', sql).select('*').from('x', 'x');
      await refused(() => named(raw('select * from note')).execute());
      await refused(() => named(unguarded(opened.em, 'note', 'id')).execute());
    });

    it('refuses tables by name', async () => {
      await refused(() => em.qb('note').select('*').execute());
      await refused(() => em.qb('public.note').select('*').execute());
      const joined = () =>
        em
          .qb(Country, 'c')
          .select('*')
          .leftJoin(raw('??', ['note']), 'n');
      await refused(() => joined().execute());
      expect(await inA(() => em.qb('country').select('*').execute())).toHaveLength(1);
    });

    it('guards unions', async () => {
      await refused(() => notes().unionAll(unguarded(opened.em, 'note', 'id')));
      const kysely = kyselyOf(opened.em).selectFrom('note').select('id');
      await refused(() => notes().unionAll(kysely));
      const built = await inA(() => notes().unionAll(notes()));
      await expect(inB(() => built.execute())).rejects.toThrow(TenantRowMismatchError);
      await expect(inB(() => built.clone().execute())).rejects.toThrow(TenantRowMismatchError);
      await expect(inB(() => built.toRaw())).rejects.toThrow(TenantRowMismatchError);
      const shared = await inA(() => em.qb(Country).select('code').unionAll(notes().clone()));
      await expect(inB(() => shared.execute())).rejects.toThrow(TenantRowMismatchError);
      const unionWhere = { unionWhere: [{ id: 1 }, { id: 2 }] };
      await refused(() => em.nativeUpdate(Note, {}, { text: 'x' }, unionWhere));
      await refused(() => em.nativeDelete(Note, {}, unionWhere));
      if (engine === 'SQLite') return; // MikroORM's unions have parentheses, which SQLite does not take.
      const all = () => notes().unionAll(notes()).execute();
      expect(await inA(all)).toHaveLength(2);
      expect(
        await inA(() => em.find(Note, { id: { $in: notes().unionAll(notes()) } })),
      ).toHaveLength(1);
      expect(await inA(() => em.find(Note, {}, unionWhere))).toMatchObject([{ text: 'A1' }]);
    });

    it('takes a query as a value', async () => {
      const by = (ids: unknown) =>
        em
          .qb(Country)
          .where({ capital: { $in: ids } })
          .getCount();
      for (const ids of [() => notes(), () => notes().toRaw()]) {
        expect(await inA(() => by(ids()))).toBe(0);
        expect(await inB(() => by(ids()))).toBe(1);
      }
    });

    it('filters what is streamed and selected beside other columns', async () => {
      expect(await inA(() => collect(em.stream(Note, {})))).toEqual(['A1']);
      expect(await inA(() => collect(em.qb(Note).select('*').stream()))).toEqual(['A1']);
      const other = () => em.qb(Note, 'n').select('n.text').where({ 'n.id': 2 }).as('text');
      const beside = () => em.qb(Country, 'c').select(['c.name', other()]).execute();
      expect(await inA(beside)).toMatchObject([{ text: null }]);
      expect(await inB(beside)).toMatchObject([{ text: 'B1' }]);
      const limited = { populate: ['notes'], populateHints: { notes: { limit: 5 } } };
      expect(JSON.stringify(await inA(() => em.find(Folder, {}, limited)))).not.toContain('B2');
    });

    it('runs a copy of a query that ran before', async () => {
      const counts = await inA(async () => {
        const query = em.qb(Folder, 'f').select('*').leftJoinAndSelect('f.notes', 'n').limit(5);
        query.where({ [raw('1 = 1 or 1 = 1')]: [] });
        await query.getResult();
        return [(await query.clone().getResult()).length, await query.clone().getCount()];
      });
      expect(counts).toEqual([1, 1]);
    });

    it('orders by no rows of others, whose condition MikroORM moves to the join', async () => {
      await opened.sql(`insert into folder (id, tenant_id, name) values (3, 'a', 'third')`);
      await opened.sql(
        `insert into note (id, tenant_id, text, folder_id) values (9, 'b', 'B0', 3)`,
      );
      const where = { $or: [{ notes: { tenantId: 'b' } }, { id: { $in: [1, 3] } }] };
      const ordered = (direction: string) => {
        const orderBy = [{ notes: { text: direction } }, { id: 'asc' }];
        return inA(() => em.find(Folder, where, { orderBy, limit: 5 }));
      };
      const ids = async (direction: string) => (await ordered(direction)).map(({ id }) => id);
      expect(await ids('asc')).toHaveLength(2);
      expect(await ids('desc')).toEqual(await ids('asc'));
    });

    if (IS_FIRST_7) return;

    it('filters what is counted by a property', async () => {
      expect(await inA(() => em.countBy(Note, 'tenantId'))).toEqual({ a: 1 });
    });

    it('refuses to copy rows in the database', async () => {
      await refused(() => em.clone(Note, { id: 1 }));
      await refused(() => em.clone(Note, { id: 1 }, { tenantId: 'b' }));
      await refused(() => em.qb(Note).insertFrom(em.qb(Note).select('*')).execute());
      const other = () =>
        em
          .qb(Note)
          .select([raw('text as code'), 'text'])
          .where({ id: 2 });
      const copied = () => em.qb(Country).insertFrom(other(), { columns: ['code', 'name'] });
      await inA(() => copied().execute());
      expect(await opened.sql('select * from country')).toHaveLength(1);
      const built = await inA(async () => {
        const query = copied();
        await query.execute();
        return query;
      });
      await expect(inB(() => built.execute())).rejects.toThrow(TenantRowMismatchError);
    });
  });
}

export function describeStart7(tenancyOf: () => Tenancy): void {
  const id = { type: 'integer', primary: true } as const;
  const tenantId = { type: 'text', fieldName: 'tenant_id' } as const;
  const open = (more: object[], shared: unknown[] = []) =>
    openMikro('SQLite', {
      config: { entities: [...entities(), ...more] as never },
      guard: { shared: [Country, ...shared] as never },
    });

  it('refuses entities in several tables', async () => {
    const animal = new EntitySchema({
      name: 'Animal',
      inheritance: 'tpt',
      properties: { id, tenantId },
    } as never);
    const dog = new EntitySchema({
      name: 'Dog',
      extends: animal,
      properties: { bark: { type: 'text' } },
    } as never);
    await expect(open([animal, dog])).rejects.toThrow('has a separate table for each of its types');
    await expect(open([animal, dog])).rejects.toThrow(TenantOptionError);
  });

  it('filters a relation to one of several types', async () => {
    class Comment {}
    const comment = new EntitySchema({
      class: Comment,
      properties: {
        id,
        tenantId,
        on: { kind: 'm:1', entity: () => [Note, Folder], nullable: true },
      },
    } as never);
    const opened = await open([comment]);
    await opened.reset();
    const columns = await opened.sql<{ name: string }>(
      `select name from pragma_table_info('comment')`,
    );
    const [type, key] = columns.map(({ name }) => name).filter((name) => name.startsWith('on_'));
    await opened.sql(
      `insert into comment (id, tenant_id, ${String(type)}, ${String(key)}) values (1, 'a', 'note', 2)`,
    );
    const em = opened.em as unknown as Manager7;
    for (const strategy of ['joined', 'select-in']) {
      const find = () => em.find(Comment, {}, { populate: ['on'], strategy });
      expect(JSON.stringify(await tenancyOf().run('a', find))).not.toContain('B1');
    }
    await opened.close();
  });

  it('shares the entity that is listed, not one of the same name', async () => {
    const named = (more: object) =>
      new EntitySchema({
        class: { Country: class Country {} }.Country,
        tableName: 'other_country',
        properties: { id, ...more },
      } as never);
    await expect(open([named({})])).rejects.toThrow(
      'Country has no column for the property `tenantId`',
    );
    await (await open([named({ tenantId })])).close();
  });

  if (IS_FIRST_7) return;

  it('refuses links of several types', async () => {
    class Picture {}
    class Film {}
    const of = (target: object) =>
      new EntitySchema({ class: target, properties: { id, tenantId } } as never);
    const attachments = { kind: 'm:n', entity: () => [Picture, Film], owner: true };
    const post = new EntitySchema({
      name: 'Post',
      properties: { id, tenantId, attachments },
    } as never);
    await expect(open([of(Picture), of(Film), post])).rejects.toThrow(
      'Post.attachments links entities of several types',
    );
  });

  it('refuses a relation through a table of tenants', async () => {
    class Album {}
    class Song {}
    const newest = { kind: 'm:1', entity: () => Song, through: () => Song, nullable: true };
    const album = new EntitySchema({
      class: Album,
      properties: { id, tenantId, newest: { ...newest, orderBy: { id: 'desc' } } },
    } as never);
    const song = new EntitySchema({
      class: Song,
      properties: { id, tenantId, album: { kind: 'm:1', entity: () => Album } },
    } as never);
    const opened = await open([album, song]);
    const em = opened.em as unknown as Manager7;
    const find = () => em.find(Album, {});
    await expect(tenancyOf().run('a', find)).rejects.toThrow(TenantUnguardedError);
    await opened.close();
  });

  it('makes an index of the rows of all tenants', async () => {
    const task = new EntitySchema({
      name: 'Task',
      properties: { id, tenantId, done: { type: 'boolean' } },
      indexes: [{ name: 'open_tasks', properties: ['id'], where: { done: false } }],
    } as never);
    const opened = await open([task]);
    const [index] = await opened.sql<{ sql: string }>(
      `select sql from sqlite_master where name = 'open_tasks'`,
    );
    expect(index?.sql).toMatch(/where .*done/);
    expect(index?.sql).not.toContain('tenant_id');
    await opened.close();
  });
}
