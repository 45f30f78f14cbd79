import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Collection,
  EntitySchema,
  MikroORM,
  type Options,
  raw,
  RequestContext,
  serialize,
  Type,
  wrap,
} from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import {
  InvalidTenantError,
  Tenancy,
  TenantContextMissingError,
  TenantModule,
  TenantOptionError,
  TenantPeerVersionError,
  TenantRowMismatchError,
  TenantUnguardedError,
} from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import { guardTenants } from '@fledge/tenant/mikro-orm';
import { isInTier } from '../../../test/support/engines.js';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { describeStart7, describeVersion7 } from './engines/mikro-orm-7.js';
import { startTenancy } from './engines/tenancy.js';
import {
  asValue,
  Country,
  entities,
  Folder,
  IS_MIKRO_7,
  MIKRO_ENGINES,
  Note,
  openMikro,
  type OpenedMikro,
  pageOf,
  readColumn,
  readWidened,
  SqliteDriver,
  Tag,
  unguarded,
} from './engines/mikro-databases.js';

let tenancy: Tenancy;
beforeAll(async () => {
  tenancy = await startTenancy();
});
afterAll(closeAll);

const inA = <R>(run: () => R) => tenancy.run('a', run);
const inB = <R>(run: () => R) => tenancy.run('b', run);
const textsOf = (notes: readonly Note[]) => notes.map(({ text }) => text).toSorted();

describe.each(MIKRO_ENGINES.filter(isInTier))('guardTenants on %s', (engine) => {
  let opened: OpenedMikro;
  let em: SqlEntityManager;
  beforeAll(async () => {
    opened = await openMikro(engine);
    ({ em } = opened);
  });
  beforeEach(() => opened.reset());
  afterAll(() => opened.close());

  /** All notes, read around the guard: `tenant text`. */
  const stored = async () => {
    const rows = await opened.sql<{ tenant_id: string; text: string }>(
      'select tenant_id, text from note order by id',
    );
    return rows.map((row) => `${row.tenant_id} ${row.text}`);
  };
  const UNTOUCHED = ['a A1', 'b B1', 'b B2'];
  const refused = async (
    run: () => unknown,
    error: typeof TenantUnguardedError | typeof TenantRowMismatchError = TenantUnguardedError,
  ) => {
    await expect(inA(async () => await run())).rejects.toThrow(error);
    expect(await stored()).toEqual(UNTOUCHED);
  };
  const all = async () => textsOf(await em.find(Note, {}));

  it('reads rows of the tenant, and refuses without one', async () => {
    expect(await inA(all)).toEqual(['A1']);
    expect(await inB(all)).toEqual(['B1', 'B2']);
    expect(await tenancy.run({ tenantId: "a' or '1'='1" }, all)).toEqual([]);
    await expect(em.fork().find(Note, {})).rejects.toThrow(TenantContextMissingError);
    await expect(tenancy.runCentral('report', () => em.fork().count(Note))).rejects.toThrow(
      TenantContextMissingError,
    );
    // Shared entities need no tenant: a store of tenants may be one.
    expect(await em.fork().find(Country, {})).toHaveLength(1);
    expect(await em.fork().count(Country, { [raw('lower(name)')]: 'norway' })).toBe(1);
    const name = raw<never>(`lower('Sweden')`);
    const rows = [
      { code: 'se', name },
      { code: 'dk', name: 'Denmark' },
    ];
    await em.fork().insertMany(Country, rows);
    expect(await em.fork().count(Country, { name: 'sweden' })).toBe(1);
  });

  it('keeps the tenant beside conditions and options of the caller', async () => {
    expect(await inA(() => em.count(Note, { $or: [{ id: 1 }, { id: 2 }] }))).toBe(1);
    expect(await inA(() => em.count(Note, { tenantId: 'b' }))).toBe(0);
    expect(await inA(() => em.count(Note, { text: /^B/ }))).toBe(0);
    expect(await inB(() => em.count(Note, { text: /^B1/ }))).toBe(1);
    expect(await inA(() => em.count(Note, { [raw('1 = 1 or 1 = 1')]: [] }))).toBe(1);
    for (const filters of [false, { tenant: false }] as const) {
      expect(textsOf(await inA(() => em.find(Note, {}, { filters })))).toEqual(['A1']);
      expect(await inA(() => em.nativeDelete(Note, { id: 2 }, { filters }))).toBe(0);
    }
    const [found, count] = await inA(() => em.findAndCount(Note, {}, { limit: 5, offset: 0 }));
    expect([textsOf(found), count]).toEqual([['A1'], 1]);
    expect(await inA(() => em.findOne(Note, 2))).toBeNull();
    expect(await inA(() => em.findOne(Note, { id: 2 }))).toBeNull();
    await expect(inA(() => em.findOneOrFail(Note, 3))).rejects.toThrow('Note not found');
    const page = await inA(() => pageOf(em, { first: 5, orderBy: { id: 'asc' } }));
    expect([textsOf(page.items), page.totalCount]).toEqual([['A1'], 1]);
  });

  it.each(['joined', 'select-in'] as const)('filters populated relations, %s', async (strategy) => {
    const folder = await inA(() =>
      em.findOneOrFail(Folder, 1, { populate: ['notes', 'tags'], strategy }),
    );
    expect(textsOf(folder.notes.getItems())).toEqual(['A1']);
    expect(folder.tags.getItems().map(({ name }) => name)).toEqual(['tag of A']);
    const country = await inA(() =>
      em.findOneOrFail(
        Country,
        { code: 'no' },
        { populate: ['capital'], strategy, filters: false },
      ),
    );
    // At most the key of the other tenant's row, without its data.
    expect(JSON.stringify(serialize(country))).not.toContain('B1');
    const paged = await inA(() =>
      em.find(Folder, {}, { populate: ['notes'], strategy, limit: 5, orderBy: { id: 'asc' } }),
    );
    expect(paged.map(({ notes }) => textsOf(notes.getItems()))).toEqual([['A1']]);
  });

  it('filters relations that are loaded later', async () => {
    const found = await inA(async () => {
      const folder = await em.findOneOrFail(Folder, 1);
      const country = await em.findOneOrFail(Country, { code: 'no' });
      await folder.notes.loadItems();
      const capital = country.capital && (await wrap(country.capital).init());
      return {
        notes: textsOf(folder.notes.getItems()),
        count: await folder.tags.loadCount(),
        matching: (await folder.notes.matching({ where: {} })).length,
        capital: capital?.text,
        reference: await wrap(em.getReference(Note, 3)).init(),
      };
    });
    expect(found).toEqual({
      notes: ['A1'],
      count: 1,
      matching: 1,
      capital: undefined,
      reference: null,
    });
  });

  it('answers no questions about rows of others through conditions and orders', async () => {
    const asks = [
      () => em.count(Folder, { notes: { text: 'B2' } }),
      () => em.count(Folder, { notes: { $some: { text: 'B2' } } }),
      () => em.count(Country, { capital: { text: 'B1' } }),
      () => em.count(Folder, { tags: { name: 'tag of B' } }),
      () => em.nativeUpdate(Country, { capital: { text: 'B1' } }, { name: 'x' }),
      () => em.nativeDelete(Country, { capital: { text: { $like: 'B%' } } }),
    ];
    for (const ask of asks) expect(await inA(ask)).toBe(0);
    expect(await inB(asks[2] as () => Promise<number>)).toBe(1);
    await opened.sql(`insert into country (code, name, capital_id) values ('se', 'Sweden', 1)`);
    const first = (direction: 'asc' | 'desc') =>
      inA(async () => {
        const orderBy = { capital: { text: `${direction} nulls last` as 'asc' } };
        return (await em.find(Country, {}, { orderBy })).map(({ code }) => code);
      });
    // `no` names the note of b, so it sorts as without a note.
    if (engine === 'PostgreSQL') expect(await first('desc')).toEqual(await first('asc'));
  });

  it('answers no questions about rows of others through the query that counts rows of a page', async () => {
    const paged = { populate: ['notes'], strategy: 'joined', limit: 5 } as const;
    const inNotes = { notes: { text: 'B2' } };
    for (const populateWhere of ['infer', inNotes] as const) {
      const orderBy = { id: 'asc' } as const;
      const ask = () => em.find(Folder, inNotes, { ...paged, populateWhere, orderBy });
      expect(await inA(ask)).toEqual([]);
    }
  });

  it('changes and deletes rows of the tenant', async () => {
    await inA(() => em.nativeUpdate(Note, {}, { text: 'changed' }));
    expect(await stored()).toEqual(['a changed', 'b B1', 'b B2']);
    expect(await inA(() => em.nativeUpdate(Note, { id: 2 }, { text: 'x' }))).toBe(0);
    await inA(() => em.nativeDelete(Note, { folder: { name: { $ne: '' } } }));
    expect(await stored()).toEqual(['b B1', 'b B2']);
  });

  it('flushes no change of a row of another tenant', async () => {
    await inA(async () => {
      em.getReference(Note, 2).text = 'x';
      await em.flush();
    });
    await inA(async () => {
      em.remove(em.getReference(Note, 2));
      await em.flush();
    });
    await inA(async () => {
      const merged = em.merge(Note, { id: 2, tenantId: 'a', text: 'B1' });
      merged.text = 'x';
      const mapped = em.map(Note, { id: 3, tenant_id: 'a', text: 'B2' });
      mapped.text = 'x';
      await em.flush();
    });
    expect(await stored()).toEqual(UNTOUCHED);
    await refused(async () => {
      const note = await em.findOneOrFail(Note, 1);
      note.tenantId = 'b';
      await em.flush();
    }, TenantRowMismatchError);
  });

  it('fills in the tenant of new rows', async () => {
    await inA(async () => {
      const created = em.create(Note, { text: 'A2' });
      em.create(Note, { text: 'A3', folder: 1 });
      await em.flush();
      expect(created.tenantId).toBe('a');
      await em.insert(Note, { text: 'A4' });
      await em.insertMany(Note, [{ text: 'A5' }, { text: 'A6', tenantId: 'a' }] as Note[]);
      await em.qb(Note).insert({ text: 'A7' }).execute();
    });
    const inserted = ['a A1', 'a A2', 'a A3', 'a A4', 'a A5', 'a A6', 'a A7'];
    expect((await stored()).toSorted()).toEqual([...inserted, 'b B1', 'b B2']);
  });

  it('refuses to write rows of another tenant', async () => {
    const other = { text: 'x', tenantId: 'b' };
    await refused(() => em.insert(Note, other), TenantRowMismatchError);
    await refused(
      () => em.insertMany(Note, [{ text: 'x' }, other] as Note[]),
      TenantRowMismatchError,
    );
    await refused(() => em.qb(Note).insert(other).execute(), TenantRowMismatchError);
    await refused(() => em.nativeUpdate(Note, {}, { tenantId: 'b' }), TenantRowMismatchError);
    await refused(() => em.qb(Note).update({ tenantId: 'b' }).execute(), TenantRowMismatchError);
    await refused(() => em.nativeUpdate(Note, {}, { tenantId: raw<never>(`'b'`) }));
    // MikroORM 7 leaves such a column out.
    if (!IS_MIKRO_7) await refused(() => em.nativeUpdate(Note, {}, { [raw('tenant_id')]: 'b' }));
    await refused(() => em.insert(Note, { text: 'x', tenantId: raw(`'b'`) }));
    for (const count of [1, 2]) {
      await refused(async () => {
        for (let i = 0; i < count; i++) em.create(Note, { text: 'x', tenantId: 'b' });
        await em.flush();
      }, TenantRowMismatchError);
    }
    await refused(() => em.qb(Note).truncate().execute());
  });

  it('overwrites no row of another tenant that has the same key', async () => {
    const row = { id: 2, text: 'x' } as Note;
    await refused(() => em.upsert(Note, row), TenantRowMismatchError);
    // On SQLite, Knex drops the condition for several rows. MikroORM 7 has no Knex.
    const dropped = engine === 'SQLite' && !IS_MIKRO_7;
    const several = dropped ? TenantUnguardedError : TenantRowMismatchError;
    await refused(() => em.upsertMany(Note, [row, { ...row, id: 3 }]), several);
    await refused(() => em.upsert(Note, { ...row, tenantId: 'b' }), TenantRowMismatchError);
    const ignore = { onConflictAction: 'ignore' } as const;
    await refused(() => em.upsert(Note, row, ignore), TenantRowMismatchError);
    await refused(() => em.upsertMany(Note, [row], ignore), TenantRowMismatchError);
    const upsert = () => em.qb(Note).insert(row).onConflict('id');
    await inA(() => upsert().merge().execute());
    await inA(() => upsert().merge({ text: 'x' }).execute());
    await inA(() =>
      upsert()
        .merge(['text'])
        .where({ id: { $gt: 0 } })
        .execute(),
    );
    expect(await stored()).toEqual(UNTOUCHED);
    await refused(
      () =>
        em
          .qb(Note)
          .insert({ id: 1, text: 'x' })
          .onConflict('id')
          .merge({ tenantId: 'b' })
          .execute(),
      TenantRowMismatchError,
    );
    await inA(() => em.upsert(Note, { id: 1, text: 'mine' }));
    expect(await stored()).toEqual(['a mine', 'b B1', 'b B2']);
  });

  it('changes no links of a row of another tenant', async () => {
    await refused(async () => {
      const claimed = em.merge(Folder, { id: 2, tenantId: 'a', name: 'of B' });
      claimed.tags.set([em.getReference(Tag, 1)]);
      await em.flush();
    }, TenantRowMismatchError);
    await refused(async () => {
      em.merge(Folder, { id: 2, tenantId: 'a', name: 'of B' }).tags.removeAll();
      await em.flush();
    }, TenantRowMismatchError);
    await inA(async () => {
      const folder = await em.findOneOrFail(Folder, 1, { populate: ['tags'] });
      folder.tags.add(em.create(Tag, { name: 'new' }));
      em.create(Folder, { name: 'new' }).tags.add(em.getReference(Tag, 1));
      await em.flush();
    });
    expect(await opened.sql('select * from folder_tags')).toHaveLength(5);
    await inA(async () => {
      const folder = await em.findOneOrFail(Folder, 1, { populate: ['notes'] });
      folder.notes.set([em.getReference(Note, 2)]);
      await em.flush();
    });
    expect(await opened.sql('select * from folder_tags where folder_id = 2')).toHaveLength(1);
    expect(await opened.sql('select * from note where id = 2 and folder_id = 2')).toHaveLength(1);
  });

  it('changes no links of a row of another tenant from the other side', async () => {
    const links = async () => {
      const rows = await opened.sql<{ folder_id: number; tag_id: number }>(
        'select folder_id, tag_id from folder_tags order by folder_id, tag_id',
      );
      return rows.map((row) => `${row.folder_id} ${row.tag_id}`);
    };
    await opened.sql('insert into folder_tags (folder_id, tag_id) values (2, 1)');
    const before = ['1 1', '1 2', '2 1', '2 2'];
    await refused(async () => {
      const tag = em.create(Tag, { name: 'new' });
      tag.folders.add(em.getReference(Folder, 2));
      await em.flush();
    }, TenantRowMismatchError);
    await refused(async () => {
      em.create(Tag, { name: 'new', folders: [2] });
      await em.flush();
    }, TenantRowMismatchError);
    await refused(async () => {
      const tag = await em.findOneOrFail(Tag, 1);
      tag.folders.add(em.getReference(Folder, 2));
      await em.flush();
    }, TenantRowMismatchError);
    await refused(() => em.insert(Tag, { name: 'new', folders: [1, 2] }), TenantRowMismatchError);
    await refused(() => em.nativeUpdate(Folder, 2, { tags: [1] }), TenantRowMismatchError);
    expect(await links()).toEqual(before);

    // Links of another tenant's rows stay, also where all links of an own row are removed.
    await inA(async () => {
      const tag = await em.findOneOrFail(Tag, 1);
      tag.folders.removeAll();
      await em.flush();
    });
    expect(await links()).toEqual(['1 2', '2 1', '2 2']);
    await inA(async () => {
      const tag = await em.findOneOrFail(Tag, 1, { populate: ['folders'] });
      tag.folders.add(em.getReference(Folder, 1));
      await em.flush();
    });
    expect(await links()).toEqual(before);
    await inA(() => em.nativeUpdate(Tag, 1, { folders: [] }));
    expect(await links()).toEqual(['1 2', '2 1', '2 2']);
    await refused(() => em.nativeUpdate(Tag, 1, { folders: [2] }), TenantRowMismatchError);
    expect(await links()).toEqual(['1 2', '2 1', '2 2']);
  });

  it('changes no links of a row of another tenant by their table', async () => {
    const table = 'folder_tags' as never;
    const other = { folder_id: 2, tag_id: 1 } as never;
    await refused(() => em.insert(table, other), TenantRowMismatchError);
    await refused(
      () => em.insert(table, { Folder_owner: 2, Tag_inverse: 1 } as never),
      TenantRowMismatchError,
    );
    await refused(() => em.insertMany(table, [other]), TenantRowMismatchError);
    await refused(() => em.qb(table).insert(other).execute());
    await refused(() => em.qb(table).delete().execute());
    await refused(() => em.nativeUpdate(table, {}, { tag_id: 1 }));
    expect(await inA(() => em.nativeDelete(table, {}))).toBe(2);
    expect(await opened.sql('select * from folder_tags')).toHaveLength(1);
    await inA(() => em.insert(table, { Folder_owner: 1, Tag_inverse: 1 } as never));
    expect(await opened.sql('select * from folder_tags')).toHaveLength(2);
  });

  it('guards joins that replace one of a query that ran before', async () => {
    const names = await inA(async () => {
      const query = em.qb(Country, 'c').select(['c.name', 'n.text']).leftJoin('c.capital', 'n');
      await query.execute();
      return query.clone().leftJoin('c.capital', 'n').execute();
    });
    expect(JSON.stringify(names)).not.toContain('B1');
  });

  it('guards the query builder', async () => {
    const rows = () => em.qb(Note, 'n').select('*');
    expect(textsOf(await inA(() => rows().getResult()))).toEqual(['A1']);
    const either = () => rows().where({ id: 1 }).orWhere({ id: 2 });
    expect(textsOf(await inA(() => either().getResult()))).toEqual(['A1']);
    expect(await inA(() => rows().getCount())).toBe(1);
    const [found, count] = await inA(() => rows().getResultAndCount());
    expect([textsOf(found), count]).toEqual([['A1'], 1]);
    const joined = (kind: 'leftJoinAndSelect' | 'innerJoinAndSelect') =>
      inA(() => em.qb(Folder, 'f').select('*')[kind]('f.notes', 'n').limit(5).getResult());
    for (const kind of ['leftJoinAndSelect', 'innerJoinAndSelect'] as const) {
      expect((await joined(kind)).map(({ notes }) => textsOf(notes.getItems()))).toEqual([['A1']]);
    }
    const names = await inA(() =>
      em.qb(Country, 'c').select(['c.name', 'n.text']).leftJoin('c.capital', 'n').execute(),
    );
    expect(JSON.stringify(names)).not.toContain('B1');
    const exists = () =>
      em.qb(Country).where({ capital: { $in: asValue(em.qb(Note, 'n').select('n.id')) } });
    expect(await inA(() => exists().getCount())).toBe(0);
    expect(await inB(() => exists().getCount())).toBe(1);
    const nested = () => em.createQueryBuilder(rows(), 'x').select('*').execute('all', false);
    expect(await inA(nested)).toHaveLength(1);
    await inA(() => em.qb(Note).update({ text: 'x' }).where({ id: 2 }).execute());
    await inA(() => em.qb(Note).delete().where({ id: 2 }).execute());
    expect(await stored()).toEqual(UNTOUCHED);
  });

  it('gives a query of a tenant no rows for another', async () => {
    const built = await inA(() => {
      const query = em.qb(Note).select('*');
      void query.getQuery();
      const ids = asValue(em.qb(Note).select('id'));
      const shared = em.qb(Country).where({ capital: { $in: ids } });
      void shared.clone().getQuery();
      return { query, copy: query.clone(), ids, shared };
    });
    await expect(inB(() => built.query.getResult())).rejects.toThrow(TenantRowMismatchError);
    await expect(inB(() => built.copy.getResult())).rejects.toThrow(TenantRowMismatchError);
    await expect(inB(() => built.shared.getResult())).rejects.toThrow(TenantRowMismatchError);
    const other = () => em.qb(Country).where({ capital: { $in: built.ids } });
    await expect(inB(() => other().getResult())).rejects.toThrow(TenantRowMismatchError);
    const run = await inA(async () => {
      const query = em.qb(Country).where({ capital: { $in: asValue(em.qb(Note).select('id')) } });
      await query.getResult();
      return { query };
    });
    await expect(inB(() => run.query.execute())).rejects.toThrow(TenantRowMismatchError);
    const open = em.qb(Note).select('*');
    expect(textsOf(await inB(() => open.getResult()))).toEqual(['B1', 'B2']);
  });

  it('refuses raw SQL that names a table of tenants', async () => {
    await refused(() => em.execute('select * from note'));
    await refused(() => em.execute('delete from "NOTE"'));
    await refused(() => em.execute('select * from ??', ['note']));
    await refused(() => em.execute('select * from U&"not\\0065"'));
    if (IS_MIKRO_7) {
      await refused(() => (em as unknown as { getKysely(): unknown }).getKysely());
    } else {
      await refused(() => em.getKnex());
      await refused(() => em.getRepository(Note).getKnex());
    }
    const sub = 'exists (select 1 from note where id = 2)';
    await refused(() => em.count(Folder, { [raw(sub)]: [] }));
    await refused(() => em.count(Country, { [raw(sub)]: [] }));
    await refused(() => em.count(Country, { [raw('exists (select 1 from ??)', ['note'])]: [] }));
    const text = raw('(select text from note limit 1) as text');
    await refused(() => em.qb(Country, 'c').select(text).execute());
    await refused(() => em.qb(Country, 'c').where(sub).getCount());
    await refused(() =>
      em.find(Country, {}, { orderBy: { [raw(`(${'select text from note'})`)]: 'asc' } }),
    );
    const rows = () => unguarded(em, 'note', 'text');
    await refused(() => em.execute(rows()));
    await refused(() =>
      em
        .qb(Country)
        .where({ code: { $in: rows() } })
        .getCount(),
    );
    const value = { text: raw<never>('(select text from note where id = 2)') };
    await refused(() => em.insert(Note, value));
    await refused(() => em.insertMany(Note, [{ text: 'x' }, value] as Note[]));
    await refused(() => em.nativeUpdate(Note, {}, value));
    const name = raw<never>('(select text from note where id = 2)');
    await refused(() =>
      em.insertMany(Country, [
        { code: 'x', name },
        { code: 'y', name: 'y' },
      ]),
    );
    const query = () => em.qb(Country, 'c').select('*');
    const subquery = raw('(select text from note where id = 2)');
    await refused(() =>
      query()
        .distinctOn([subquery] as never)
        .execute(),
    );
    await refused(() =>
      query()
        .groupBy(subquery as never)
        .execute(),
    );
    await refused(() => (query() as unknown as Hinted).indexHint('cross join note').execute());
    const limit: unknown = raw('(select id from note)');
    await refused(() =>
      query()
        .limit(limit as number)
        .execute(),
    );
    const insert = () => em.qb(Country).insert({ code: 'x', name: 'x' });
    await refused(() =>
      insert()
        .returning([subquery] as never)
        .execute(),
    );
    const where = raw('(code) where exists (select 1 from note)');
    await refused(() =>
      insert()
        .onConflict(where as never)
        .ignore()
        .execute(),
    );
    expect(await inA(() => em.execute('select 1 as n'))).toEqual([{ n: 1 }]);
    expect(await inA(() => em.count(Note, { [raw('lower(text)')]: 'a1' }))).toBe(1);
  });

  it('takes no value for the name of a table', async () => {
    const word = 'note';
    const named = { [raw(':column = :word', { column: raw('text'), word })]: [] };
    expect(await inA(() => em.count(Note, { [raw('?? like ?', ['text', `%${word}%`])]: [] }))).toBe(
      0,
    );
    expect(await inA(() => em.count(Note, named))).toBe(0);
    const codes = IS_MIKRO_7
      ? raw('select code from country where name = ?', [word])
      : em.getConnection().getKnex()('country').select('code').where('name', word);
    expect(
      await inA(() =>
        em
          .qb(Country)
          .where({ code: { $in: codes as never } })
          .getCount(),
      ),
    ).toBe(0);
    const query = em.qb(Country, 's').select('s.code').where({ name: word });
    const joined = em.qb(Country, 'c').select('*').leftJoin(query, 's', { 's.code': 'no' });
    expect(await inA(() => joined.getCount())).toBe(1);
    await refused(() =>
      em.count(Country, { [raw('? = ? and exists (select 1 from ??)', ['x', 'x', 'note'])]: [] }),
    );
  });

  it('takes no column of an alias for the name of a table', async () => {
    const named = (sql: (alias: string) => string, ...names: string[]) =>
      em
        .qb(Country, 'c')
        .where({ [raw(sql, names)]: [] })
        .getQuery();
    expect(await inA(() => named((alias) => `lower(${alias}.??) = ''`, 'note'))).toContain('c.');
    expect(await inA(() => named((alias) => `${alias}."note" = c.note`))).toContain('c.');
    await refused(() => named(() => 'exists (select 1 from x.??)', 'note'));
    await refused(() => named(() => 'exists (select 1 from x."note")'));
    await refused(() => named((alias) => `${alias}.?? = 1`, 'x.note'));
  });

  it('takes raw subqueries of shared entities', async () => {
    await opened.sql(`insert into country (code, name) values ('se', 'Sweden')`);
    const codes = raw<never>('select code from country');
    expect(await inA(() => em.count(Country, { code: { $in: codes } }))).toBe(2);
    const first = raw<never>('(select min(code) from country where code = ?)', ['no']);
    expect(await inA(() => em.count(Country, { code: { $eq: first } }))).toBe(1);
    const notes = em.qb(Note).where({ text: { $nin: raw('select name from country') } });
    expect(await inA(() => notes.getCount())).toBe(1);
  });

  it('refuses raw SQL that could end the condition on the tenant', async () => {
    await refused(() => em.count(Note, { [raw('1 = 1) or (1 = 1')]: [] }));
    await refused(() => em.nativeDelete(Note, { [raw('1 = 1) or (1 = 1')]: [] }));
    await refused(() => em.nativeDelete(Note, { id: { $gt: raw<never>('0) or (1 = 1') } }));
    await refused(() =>
      em
        .qb(Note)
        .update({ text: raw(`'x' -- `) })
        .where({ id: 1 })
        .execute(),
    );
  });

  it('shares no identity map between tenants', async () => {
    await inA(async () => {
      const note = await em.findOneOrFail(Note, 1);
      expect(await em.findOneOrFail(Note, 1)).toBe(note);
      note.text = 'kept';
      await inB(async () => {
        expect(await em.findOne(Note, 1)).toBeNull();
        await em.flush();
      });
      expect(await stored()).toEqual(UNTOUCHED);
      await tenancy.runCentral('report', async () => {
        await expect(em.findOne(Note, 1)).rejects.toThrow(TenantContextMissingError);
      });
      await em.flush();
    });
    expect(await stored()).toEqual(['a kept', 'b B1', 'b B2']);
  });

  it('shares no identity map inside a RequestContext that began before the tenant', async () => {
    await RequestContext.create(opened.orm.em, async () => {
      await em.findOneOrFail(Country, { code: 'no' });
      await inA(async () => {
        const note = await em.findOneOrFail(Note, 1);
        expect(
          RequestContext.getEntityManager()
            ?.getUnitOfWork()
            .getById((IS_MIKRO_7 ? Note : 'Note') as 'Note', 1 as never),
        ).toBe(note);
        await inB(async () => expect(await em.findOne(Note, 1)).toBeNull());
      });
      await inB(async () => expect(await all()).toEqual(['B1', 'B2']));
      await expect(em.findOne(Note, 1)).rejects.toThrow();
    });
  });

  it('refuses the fork of another tenant', async () => {
    const fork = em.fork();
    const note = await inA(() => fork.findOneOrFail(Note, 1));
    await expect(inB(() => fork.findOne(Note, 1))).rejects.toThrow(TenantUnguardedError);
    await expect(fork.findOne(Note, 1)).rejects.toThrow(TenantUnguardedError);
    note.text = 'x';
    await expect(inB(() => fork.flush())).rejects.toThrow(TenantUnguardedError);
    const copy = await inA(() => fork.fork({ clear: false }));
    await expect(inB(() => copy.findOne(Note, 1))).rejects.toThrow(TenantUnguardedError);
    expect(await stored()).toEqual(UNTOUCHED);
  });

  it('shares no cached results between tenants', async () => {
    for (const cache of [5_000, ['notes', 5_000] as [string, number]]) {
      const cached = async () => textsOf(await em.find(Note, {}, { cache }));
      expect(await inA(cached)).toEqual(['A1']);
      expect(await inB(cached)).toEqual(['B1', 'B2']);
      expect(await inA(cached)).toEqual(['A1']);
    }
    await opened.sql(`update note set text = 'new' where id = 1`);
    const cached = async () => textsOf(await em.find(Note, {}, { cache: ['notes', 5_000] }));
    expect(await inA(cached)).toEqual(['A1']);
    await inB(() => em.clearCache('notes'));
    expect(await inA(cached)).toEqual(['A1']);
    await inA(() => em.clearCache('notes'));
    expect(await inA(cached)).toEqual(['new']);
  });

  it('stays with each tenant in parallel and in transactions', async () => {
    const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    const answers = await Promise.all(
      wanted.map((tenant) =>
        tenancy.run(tenant, () =>
          em.fork().transactional(async (tx) => textsOf(await tx.find(Note, {}))),
        ),
      ),
    );
    expect(answers.filter((it, i) => it[0] !== (wanted[i] === 'a' ? 'A1' : 'B1'))).toEqual([]);
    const undone = inA(() =>
      em.transactional(async () => {
        em.create(Note, { text: 'undone' });
        await em.flush();
        throw new Error('undone');
      }),
    );
    await expect(undone).rejects.toThrow('undone');
    expect(await stored()).toEqual(UNTOUCHED);
    if (engine === 'SQLite') return; // has one connection
    await inA(() =>
      em.transactional(async () => {
        expect(await all()).toEqual(['A1']);
        expect(await inB(all)).toEqual(['B1', 'B2']);
        await inB(async () => {
          em.create(Note, { text: 'B3' });
          await em.flush();
        });
        expect(await all()).toEqual(['A1']);
      }),
    );
    expect(await stored()).toEqual([...UNTOUCHED, 'b B3']);
  });

  it('leaves the entity managers of code without a tenant alone', async () => {
    const noted = () => inB(() => em.insert(Note, { text: 'B3' }));
    const central = <R>(run: () => R) => tenancy.runCentral('sign up', run);
    const codes = async () =>
      (await opened.sql<{ code: string }>('select code from country')).map(({ code }) => code);
    await RequestContext.create(opened.orm.em, () =>
      central(async () => {
        em.create(Country, { code: 'se', name: 'Sweden' });
        await inB(() => em.find(Note, {}));
        await em.flush();
      }),
    );
    expect((await codes()).toSorted()).toEqual(['no', 'se']);
    const fork = em.fork();
    expect(await fork.count(Country)).toBe(2);
    await expect(inA(() => fork.count(Note))).rejects.toThrow(TenantUnguardedError);
    expect(await fork.count(Country)).toBe(2);
    if (engine === 'SQLite') return; // has one connection
    for (const [enter, clear] of [
      [central, false],
      [central, true],
      [inA, true],
    ] as const) {
      const undone = enter(() =>
        em.transactional(
          async (tx) => {
            await noted();
            await expect(inB(() => tx.count(Note))).rejects.toThrow(TenantUnguardedError);
            await em.insert(Country, { code: 'dk', name: 'Denmark' });
            throw new Error('undone');
          },
          { clear },
        ),
      );
      await expect(undone).rejects.toThrow('undone');
    }
    expect(await stored()).toEqual([...UNTOUCHED, 'b B3', 'b B3', 'b B3']);
    expect((await codes()).toSorted()).toEqual(['no', 'se']);
  });

  it('does not see: getConnection(), queries of Knex and Kysely, foreign keys', async () => {
    const around = await inA(() => em.getConnection().execute('select * from note'));
    expect(around).toHaveLength(3);
    expect(await inA(() => readColumn(em, 'note', 'id'))).toHaveLength(3);
    expect(await inA(() => readWidened(em))).toHaveLength(3);
    expect(await inA(() => em.find('folder_tags' as never, {}))).toHaveLength(3);
    await inA(async () => {
      em.create(Note, { text: 'A2', folder: 2 });
      await em.flush();
    });
    expect(await stored()).toContain('a A2');
    const entity = await inA(() => em.findOneOrFail(Note, 1));
    expect(await inB(() => entity.text)).toBe('A1');
  });
});

if (IS_MIKRO_7) {
  for (const engine of MIKRO_ENGINES.filter(isInTier)) describeVersion7(engine, () => tenancy);
}

/** A QueryBuilder whose method MikroORM 6 types as protected. */
interface Hinted {
  indexHint(sql: string): { execute(): unknown };
}

describe('guardTenants', () => {
  const config = (more: Options = {}): Options => ({
    driver: SqliteDriver,
    dbName: ':memory:',
    entities: entities(),
    ...more,
  });

  if (IS_MIKRO_7) describeStart7(() => tenancy);

  it('refuses to start where it cannot work', async () => {
    expect(() => guardTenants({})).toThrow(TenantOptionError);
    expect(() => guardTenants({ driver: class MongoDriver {} })).toThrow('requires an SQL driver');
    class Other extends SqliteDriver {}
    Object.defineProperty(Other.prototype, 'syncCollections', { value: undefined });
    expect(() => guardTenants({ driver: Other })).toThrow(TenantPeerVersionError);
    expect(() => guardTenants({ driver: Other })).toThrow('lacks Other.syncCollections()');
    class Foreign {
      createQueryBuilder() {}
    }
    expect(() => guardTenants({ driver: Foreign })).toThrow('different installations of @mikro');
    const start = (guard: object, more?: Options) =>
      MikroORM.init(guardTenants(config(more), guard));
    await expect(start({})).rejects.toThrow('Country has no column for the property `tenantId`');
    await expect(start({ shared: ['Count'] })).rejects.toThrow('Count, which is not an entity');
    await expect(start({ shared: [Country], property: 'folder' })).rejects.toThrow(
      TenantOptionError,
    );
  });

  it('belongs to one tenant as a connection per tenant', async () => {
    @Module({
      imports: [
        TenantModule.forRoot({ strategy: 'header' }),
        TenantConnectionsModule.forRoot({
          provide: MikroORM,
          create: async () => {
            const orm = await MikroORM.init(config());
            await orm.em.getConnection().execute('create table country (code text, name text)');
            return orm;
          },
          dispose: (orm) => orm.close(true),
        }),
      ],
    })
    class AppModule {}
    const [platform] = platforms as [(typeof platforms)[number]];
    const app = await (await createApp(AppModule, platform.adapter())).init();
    const orm = app.get(MikroORM);
    const add = async (name: string) => {
      const em = orm.em.fork();
      await em.insert(Country, { code: name, name });
      return (await em.find(Country, {}, { fields: ['name'] })).map((one) => one.name);
    };
    expect(await app.get(Tenancy).run('a', () => add('A1'))).toEqual(['A1']);
    expect(await app.get(Tenancy).run('b', () => add('B1'))).toEqual(['B1']);
    expect(await app.get(Tenancy).run('a', () => add('A2'))).toEqual(['A1', 'A2']);
  });

  it('refuses a QueryBuilder whose methods it does not know', async () => {
    class Changed extends SqliteDriver {
      override createQueryBuilder(...args: never[]): never {
        const query: object = Reflect.apply(super.createQueryBuilder, this, args);
        const changed = Object.create(Object.getPrototypeOf(query) as object, {
          finalize: { value: undefined },
        }) as object;
        return Object.setPrototypeOf(query, changed) as never;
      }
    }
    const { em, close } = await openMikro('SQLite', { config: { driver: Changed } });
    const count = () => em.fork().count(Country);
    await expect(count()).rejects.toThrow('lacks QueryBuilder.finalize()');
    await close();
  });

  it('refuses formulas that name a table of tenants, and does not see virtual entities', async () => {
    const total = new EntitySchema<{ name: string; total?: number }>({
      name: 'Total',
      properties: {
        name: { type: 'text', primary: true },
        total: { type: 'integer', formula: '(select count(*) from note)' },
      },
    });
    const counted = new EntitySchema<{ total: number }>({
      name: 'Counted',
      expression: 'select count(*) as total from note',
      properties: { total: { type: 'integer' } },
    });
    const each = new EntitySchema<{ tenantId: string; text: string }>({
      name: 'Each',
      expression: 'select tenant_id, text from note',
      properties: { tenantId: { type: 'text', fieldName: 'tenant_id' }, text: { type: 'text' } },
    });
    const { orm, em, reset, close } = await openMikro('SQLite', {
      config: { entities: [...entities(), total, counted, each] },
      guard: { shared: [Country, 'Total', 'Counted'] },
    });
    await reset();
    await expect(inA(() => em.find(total, {}))).rejects.toThrow(TenantUnguardedError);
    expect(await inA(() => em.find(each, {}))).toMatchObject([{ text: 'A1' }]);
    expect(await inA(() => em.find(counted, {}))).toMatchObject([{ total: 3 }]);
    expect(orm.em).toBe(em);
    await close();
  });

  it('guards an entity that is the table of a many-to-many relation', async () => {
    class Place {
      folder!: Folder;
      tag!: Tag;
      tenantId!: string;
      label!: string;
    }
    const tenantId = { tenantId: { type: 'text', fieldName: 'tenant_id' } } as const;
    const withPlace = (more: object) => {
      const [folder, ...rest] = entities();
      const key = { kind: 'm:1', primary: true } as const;
      const properties = {
        folder: { ...key, entity: () => Folder },
        tag: { ...key, entity: () => Tag },
        label: { type: 'text' },
        ...more,
      } as const;
      (folder as EntitySchema<Folder>).meta.properties.tags.pivotEntity = 'Place';
      const place = new EntitySchema<Place>({ class: Place, properties: properties as never });
      return { config: { entities: [place, folder!, ...rest] } };
    };
    const opened = await openMikro('SQLite', withPlace(tenantId));
    for (const row of [
      `folder (id, tenant_id, name) values (1, 'a', 'A'), (2, 'b', 'B')`,
      `tag (id, tenant_id, name) values (1, 'a', 'A'), (2, 'b', 'B')`,
      `place (folder_id, tag_id, tenant_id, label) values (1, 1, 'a', 'A'), (2, 2, 'b', 'B')`,
    ]) {
      await opened.sql(`insert into ${row}`);
    }
    expect(await inA(() => opened.em.find(Place, {}))).toHaveLength(1);
    expect(await inA(() => opened.em.nativeDelete(Place, { label: 'B' }))).toBe(0);
    await opened.close();
    await expect(openMikro('SQLite', withPlace({}))).rejects.toThrow('Place has no column');
  });

  it.each(
    MIKRO_ENGINES.filter(isInTier).flatMap((engine) =>
      ['integer', 'bigint', 'decimal'].map((type) => [engine, type] as const),
    ),
  )(
    'rejects ids that are not written like the number in the column: %s, %s',
    async (engine, type) => {
      class Job {
        id!: number;
        tenantId?: unknown;
      }
      const job = new EntitySchema<Job>({
        class: Job,
        properties: {
          id: { type: 'integer', primary: true, autoincrement: true },
          tenantId: { type, fieldName: 'tenant_id' } as never,
        },
      });
      const { em, close } = await openMikro(engine, {
        config: { entities: [job] },
        guard: { shared: [] },
      });
      const of = <R>(tenantId: string, run: () => R) => tenancy.run(tenantId, run);
      await of('1', () => em.insert(Job, {}));
      expect(await of('1', () => em.count(Job))).toBe(1);
      expect(await of('2', () => em.count(Job))).toBe(0);
      for (const id of ['01', '1.0', '1x', 'acme', 'NaN', '1e0']) {
        await expect(of(id, () => em.count(Job))).rejects.toThrow(InvalidTenantError);
        await expect(of(id, () => em.insert(Job, {}))).rejects.toThrow(InvalidTenantError);
      }
      await close();
    },
  );

  it.each(MIKRO_ENGINES.filter(isInTier))(
    'rejects ids that are not written like the UUID in the column: %s',
    async (engine) => {
      class Job {
        id!: number;
        tenantId?: string;
      }
      const job = new EntitySchema<Job>({
        class: Job,
        properties: {
          id: { type: 'integer', primary: true, autoincrement: true },
          tenantId: { type: 'string', columnType: 'uuid', fieldName: 'tenant_id' },
        },
      });
      const { em, close } = await openMikro(engine, {
        config: { entities: [job] },
        guard: { shared: [] },
      });
      const own = 'aaaaaaaa-1111-4111-8111-111111111111';
      await tenancy.run(own, () => em.insert(Job, {}));
      expect(await tenancy.run(own, () => em.count(Job))).toBe(1);
      for (const id of [own.toUpperCase(), own.replaceAll('-', ''), 'acme']) {
        const of = <R>(run: () => R) => tenancy.run(id, run);
        await expect(of(() => em.count(Job))).rejects.toThrow(InvalidTenantError);
        await expect(of(() => em.insert(Job, {}))).rejects.toThrow(InvalidTenantError);
      }
      await close();
    },
  );

  it('refuses a property whose type converts the tenant', async () => {
    class Plain extends Type<string, string> {
      override getColumnType = () => 'text';
    }
    class Prefixed extends Plain {
      override convertToDatabaseValue = (id: string) => `org_${id}`;
    }
    class InSql extends Plain {
      override convertToDatabaseValueSQL = (key: string) => `lower(${key})`;
    }
    const start = async (type: unknown) => {
      const doc = new EntitySchema({
        name: 'Doc',
        properties: { id: { type: 'integer', primary: true }, tenantId: { type } },
      } as never);
      const guard = { shared: [] };
      await (await openMikro('SQLite', { config: { entities: [doc] }, guard })).close();
    };
    for (const type of ['text', 'uuid', 'bigint', 'decimal', Plain]) await start(type);
    for (const type of [Prefixed, InSql]) {
      await expect(start(type)).rejects.toThrow('The type of `Doc.tenantId` converts');
      await expect(start(type)).rejects.toThrow(TenantOptionError);
    }
  });

  describe('with the tenant in the keys of relations', () => {
    class Shelf {
      tenantId?: string;
      id!: number;
      labels = new Collection<Label>(this);
    }
    class Book {
      id!: number;
      tenantId?: string;
      text!: string;
      shelf?: Shelf | null;
    }
    class Label {
      id!: number;
      tenantId?: string;
      shelves = new Collection<Shelf>(this);
    }
    const id = { type: 'integer', primary: true } as const;
    const tenantId = { type: 'text', fieldName: 'tenant_id' } as const;
    const joinColumns = ['tenant_id', 'shelf_id'];
    const schemas = () => [
      new EntitySchema<Shelf>({
        class: Shelf,
        properties: {
          tenantId: { ...tenantId, primary: true },
          id,
          labels: { kind: 'm:n', entity: () => Label, inversedBy: 'shelves', owner: true },
        },
      }),
      new EntitySchema<Book>({
        class: Book,
        properties: {
          tenantId,
          id: { ...id, autoincrement: true },
          text: { type: 'text' },
          shelf: { kind: 'm:1', entity: () => Shelf, joinColumns, nullable: true },
        },
      }),
      new EntitySchema<Label>({
        class: Label,
        properties: {
          id,
          tenantId,
          shelves: { kind: 'm:n', entity: () => Shelf, mappedBy: 'labels' },
        },
      }),
    ];
    let opened: OpenedMikro;
    beforeEach(async () => {
      const guard = { shared: [] };
      opened = await openMikro('SQLite', { config: { entities: schemas() }, guard });
      await opened.sql(`insert into shelf (tenant_id, id) values ('a', 1), ('b', 1)`);
      await opened.sql(`insert into label (tenant_id, id) values ('a', 1)`);
    });
    afterEach(() => opened.close());

    it('writes and checks rows', async () => {
      const { em } = opened;
      const insertMany = (...rows: object[]) => em.insertMany(Book, rows as Book[]);
      await inA(async () => {
        const shelf = await em.findOneOrFail(Shelf, { id: 1 });
        em.create(Book, { text: 'A1', shelf });
        em.create(Book, { text: 'A2', shelf });
        await em.flush();
        await em.insert(Book, { text: 'A3', shelf: ['a', 1] } as never);
        await insertMany({ text: 'A4', shelf: ['a', 1] });
        await insertMany({ text: 'A5', shelf: null });
        const [book] = await em.find(Book, { text: 'A1' });
        book!.shelf = null;
        await em.flush();
      });
      for (const shelf of [['b', 1], 'b', [], ['b']]) {
        await expect(inA(() => insertMany({ text: 'x', shelf }))).rejects.toThrow(
          TenantRowMismatchError,
        );
      }
      const rows = await opened.sql('select tenant_id, text, shelf_id from book order by text');
      expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
        'a A1 ',
        'a A2 1',
        'a A3 1',
        'a A4 1',
        'a A5 ',
      ]);
    });

    it('links rows by the name of the table', async () => {
      const link = (shelf: unknown) =>
        opened.em.insertMany('shelf_labels', [{ Shelf_owner: shelf, Label_inverse: 1 }]);
      await expect(inA(() => link(['b', 1]))).rejects.toThrow(TenantRowMismatchError);
      await inA(() => link(['a', 1]));
      expect(await opened.sql('select * from shelf_labels')).toMatchObject([
        { shelf_tenant_id: 'a', shelf_id: 1, label_id: 1 },
      ]);
    });
  });

  it('tells binary keys of links apart', async () => {
    const id = { type: 'blob', primary: true } as const;
    const tenantId = { type: 'text', fieldName: 'tenant_id' } as const;
    class File {
      id!: Buffer;
      tenantId?: string;
      marks = new Collection<Mark>(this);
    }
    const file = new EntitySchema<File>({
      class: File,
      properties: { id, tenantId, marks: { kind: 'm:n', entity: () => Mark, owner: true } },
    });
    class Mark {
      id!: number;
      tenantId?: string;
    }
    const mark = new EntitySchema<Mark>({
      class: Mark,
      properties: { id: { type: 'integer', primary: true }, tenantId },
    });
    const guard = { shared: [] };
    const opened = await openMikro('SQLite', { config: { entities: [file, mark] }, guard });
    await opened.sql(`insert into file (id, tenant_id) values (x'ff01', 'a'), (x'fe01', 'b')`);
    await opened.sql(`insert into mark (id, tenant_id) values (1, 'a')`);
    const link = (...keys: string[]) =>
      opened.em.insertMany(
        'file_marks',
        keys.map((key) => ({ File_owner: Buffer.from(key, 'hex'), Mark_inverse: 1 })),
      );
    await expect(inA(() => link('fe01', 'ff01'))).rejects.toThrow(TenantRowMismatchError);
    await inA(() => link('ff01'));
    expect(await opened.sql('select * from file_marks')).toHaveLength(1);
    await opened.close();
  });

  it('checks entities that are discovered later', async () => {
    const { orm, close } = await openMikro('SQLite');
    const late = new EntitySchema({
      name: 'Late',
      properties: { id: { type: 'integer', primary: true } },
    });
    orm.discoverEntity(late);
    await expect(inA(() => orm.em.count('Late'))).rejects.toThrow('Late has no column');
    await close();
  });

  it('reads all rows in runCentral() where the options allow it', async () => {
    const { em, reset, close } = await openMikro('SQLite', { guard: { central: 'all' } });
    await reset();
    const count = () => em.count(Note);
    expect(await tenancy.runCentral('report', count)).toBe(3);
    expect(await inA(count)).toBe(1);
    await expect(em.fork().count(Note)).rejects.toThrow(TenantContextMissingError);
    await tenancy.runCentral('import', () => em.insert(Note, { text: 'B3', tenantId: 'b' }));
    expect(await inB(count)).toBe(3);
    await close();
  });
});
