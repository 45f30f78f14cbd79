import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import {
  Tenancy,
  TenantContextMissingError,
  TenantModule,
  TenantTransactionMismatchError,
} from '@fledge/tenant';
import {
  bindTenant,
  drizzleQuery,
  knexQuery,
  kyselyQuery,
  type RlsQuery,
  rlsSql,
  RlsSetConfigError,
  typeormQuery,
} from '@fledge/tenant/rls';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { type Database, databases } from './rls/databases.js';
import { createNotes } from './rls/notes.js';
import { openOrm, type Orm, type OrmName } from './rls/orms.mjs';

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })] })
class AppModule {}

const orms: [OrmName, (tx: unknown) => RlsQuery][] = [
  ['drizzle', drizzleQuery as never],
  ['knex', knexQuery as never],
  ['kysely', kyselyQuery as never],
  ['typeorm', typeormQuery as never],
];

const codeOf = (error: unknown): unknown =>
  (error as { code?: string }).code ?? codeOf((error as Error).cause);
const failure = (work: () => Promise<unknown>) =>
  work().then(
    () => 'no failure',
    (error: unknown) => codeOf(error),
  );

let app: INestApplication;
let tenancy: Tenancy;
beforeAll(async () => {
  app = await createApp(AppModule, (platforms[0] as (typeof platforms)[number]).adapter());
  await app.init();
  tenancy = app.get(Tenancy);
});
afterAll(closeAll);

const bindings = databases.flatMap((it) => [
  { ...it, by: 'set_config' as const },
  // set_config is revoked there.
  { ...it, by: 'SET LOCAL' as const },
]);

describe.each(bindings)('row level security on $engine by $by', ({ engine, open, by }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await createNotes(database);
    if (by === 'SET LOCAL') await database.exec(rlsSql([], { setConfig: 'revoked' }));
  });
  afterAll(() => database.close());

  describe.each(orms)('by %s', (name, queryOf) => {
    let orm: Orm;
    beforeEach(() => database.exec(`delete from note where text not in ('A1', 'B1')`));
    beforeAll(async () => {
      orm = await openOrm[name](database.engine, 1);
    });
    afterAll(() => orm.close());

    const inTransaction = <R>(run: (tx: unknown) => Promise<R>) =>
      orm.transaction(async (tx) => {
        await bindTenant(queryOf(tx), { by });
        return run(tx);
      });
    const outside = () =>
      orm.texts(name === 'typeorm' ? (orm.db as { manager: unknown }).manager : orm.db);

    it('shows a tenant its rows, and none without a tenant on the same connection', async () => {
      expect(await tenancy.run('a', () => inTransaction(orm.texts))).toEqual(['A1']);
      expect(await outside()).toEqual([]);
      expect(await tenancy.run('a', outside)).toEqual([]);
      expect(await tenancy.run('b', () => inTransaction(orm.texts))).toEqual(['B1']);
    });

    it('drops the tenant of a failed transaction', async () => {
      const failing = tenancy.run('a', () =>
        inTransaction(async (tx) => {
          await orm.insert(tx, 'a', 'A2');
          throw new Error('undone');
        }),
      );
      await expect(failing).rejects.toThrow('undone');
      expect(await outside()).toEqual([]);
      expect(await tenancy.run('a', () => inTransaction(orm.texts))).toEqual(['A1']);
    });

    it('begins no transaction without a tenant', async () => {
      const asked: string[] = [];
      const query: RlsQuery = (sql) => {
        asked.push(sql);
        return Promise.resolve([]);
      };
      await expect(bindTenant(query, { by })).rejects.toThrow(TenantContextMissingError);
      await expect(inTransaction(orm.texts)).rejects.toThrow(TenantContextMissingError);
      expect(asked).toEqual([]);
    });

    it('shows no rows to central code, and accepts none from it', async () => {
      const central = <R>(run: () => R) => tenancy.runCentral('report', run);
      expect(await central(() => inTransaction(orm.texts))).toEqual([]);
      const insert = () => inTransaction(async (tx) => await orm.insert(tx, 'a', 'A9'));
      expect(await failure(() => central(insert))).toBe('42501');
    });

    it('refuses to insert a row for another tenant, or to move one', async () => {
      const inA = (run: (tx: unknown) => PromiseLike<unknown>) =>
        failure(() => tenancy.run('a', () => inTransaction(async (tx) => await run(tx))));
      expect(await inA((tx) => orm.insert(tx, 'b', 'B2'))).toBe('42501');
      expect(await inA((tx) => orm.move(tx, 'b'))).toBe('42501');
      expect(await inA((tx) => orm.insert(tx, 'a', 'A2'))).toBe('no failure');
      expect(await database.ask(undefined, 'select tenant_id, text from note order by 2')).toEqual([
        { tenant_id: 'a', text: 'A1' },
        { tenant_id: 'a', text: 'A2' },
        { tenant_id: 'b', text: 'B1' },
      ]);
    });

    it("keeps the tenant of a transaction in another tenant's scope", async () => {
      const seen = await tenancy.run('a', () =>
        inTransaction(async (tx) => {
          const other = tenancy.run('b', () =>
            orm.nested(tx, async (inner) => {
              await bindTenant(queryOf(inner), { by });
              return orm.texts(inner);
            }),
          );
          await expect(other).rejects.toThrow(TenantTransactionMismatchError);
          await expect(other).rejects.toThrow('belongs to tenant "a"');
          const central = tenancy.runCentral('report', () => bindTenant(queryOf(tx), { by }));
          await expect(central).rejects.toThrow('current tenant is "central"');
          return orm.texts(tx);
        }),
      );
      expect(seen).toEqual(['A1']);
    });

    it('supports a nested transaction of the same tenant', async () => {
      const seen = await tenancy.run('a', () =>
        inTransaction(async (tx) => {
          const undone = orm.nested(tx, async (inner) => {
            await bindTenant(queryOf(inner), { by });
            await orm.insert(inner, 'a', 'A3');
            throw new Error('undone');
          });
          await expect(undone).rejects.toThrow('undone');
          return orm.texts(tx);
        }),
      );
      expect(seen).toEqual(['A1']);
    });

    it.each([
      `a'; select set_config('app.tenant_id', 'b', true); --`,
      `a\\'; set local app.tenant_id = 'b'; --`,
      `a' or $1 = ? or :b "x" \n ä 𝄞 $fledge$`,
    ])('takes the tenant id %j as text, not as SQL', async (hostile) => {
      const seen = await tenancy.run({ tenantId: hostile }, () =>
        inTransaction(async (tx) => {
          const [row] = await queryOf(tx)(`select current_setting('app.tenant_id') as now`, []);
          return [row?.['now'], await orm.texts(tx)];
        }),
      );
      expect(seen).toEqual([hostile, []]);
    });
  });

  it.each(['drizzle', 'knex'] as const)('starts a builder of %s in its tenant', async (name) => {
    const started: (string | undefined)[] = [];
    const orm = await openOrm[name](database.engine, 1, () =>
      started.push(tenancy.currentOrNull()?.tenantId),
    );
    await tenancy.run('a', async () => {
      await tenancy.run('b', () => orm.all(orm.db));
      await orm.all(orm.db);
    });
    await orm.close();
    expect(started).toEqual(['b', 'a']);
  });

  it('fills in the tenant of rows inserted without one', async () => {
    const orm = await openOrm.kysely(database.engine, 1);
    await tenancy.run('a', () =>
      orm.transaction(async (tx) => {
        await bindTenant(kyselyQuery(tx as never), { by });
        await kyselyQuery(tx as never)(`insert into note (text) values ('A4')`, []);
      }),
    );
    await orm.close();
    expect(
      await database.ask(undefined, `delete from note where text = 'A4' returning tenant_id`),
    ).toEqual([{ tenant_id: 'a' }]);
  });

  it('names the cure if set_config is revoked', async () => {
    if (by === 'set_config') return;
    const orm = await openOrm.drizzle(database.engine, 1);
    const bound = tenancy.run('a', () =>
      orm.transaction((tx) => bindTenant(drizzleQuery(tx as never))),
    );
    await expect(bound).rejects.toThrow(RlsSetConfigError);
    await expect(bound).rejects.toThrow(`{ by: 'SET LOCAL' }`);
    await orm.close();
  });

  // Of PGlite there is but one connection.
  if (engine === 'PGlite') return;

  it.each(orms)(
    'serves 40 transactions at once over 2 connections by %s',
    async (name, queryOf) => {
      const orm = await openOrm[name](database.engine, 2);
      const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
      const seen = await Promise.all(
        wanted.map((tenant) =>
          tenancy.run(tenant, () =>
            orm.transaction(async (tx) => {
              await bindTenant(queryOf(tx), { by });
              const before = await orm.texts(tx);
              await new Promise((resolve) => setTimeout(resolve, 1));
              return [...before, ...(await orm.texts(tx))].join();
            }),
          ),
        ),
      );
      await orm.close();
      expect(seen).toEqual(wanted.map((tenant) => (tenant === 'a' ? 'A1,A1' : 'B1,B1')));
    },
  );

  it('overwrites a setting that was left in the session', async () => {
    const orm = await openOrm.drizzle(database.engine, 1);
    await drizzleQuery(orm.db as never)(`set app.tenant_id = 'b'`, []);
    const seen = await tenancy.run('a', () =>
      orm.transaction(async (tx) => {
        await bindTenant(drizzleQuery(tx as never), { by });
        return orm.texts(tx);
      }),
    );
    await orm.close();
    expect(seen).toEqual(['A1']);
  });
});
