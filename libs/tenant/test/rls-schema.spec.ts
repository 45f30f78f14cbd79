import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import fc from 'fast-check';
import { Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import {
  bindTenant,
  kyselyQuery,
  type RlsQuery,
  RlsNameError,
  type TenantBinding,
} from '@fledge/tenant/rls';
import { closeAll, createApp, platforms } from '../../../test/support/platforms.js';
import { type Database, databases } from './rls/databases.js';
import { openOrm, type Orm } from './rls/orms.mjs';

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })] })
class AppModule {}

let tenancy: Tenancy;
beforeAll(async () => {
  const app = await createApp(AppModule, (platforms[0] as (typeof platforms)[number]).adapter());
  tenancy = (await app.init()).get(Tenancy);
});
afterAll(closeAll);

const bindings = databases.flatMap((it) => [
  { ...it, by: 'set_config' as const },
  { ...it, by: 'SET LOCAL' as const },
]);

describe.each(bindings)('a schema for each tenant on $engine by $by', ({ open, by }) => {
  let database: Database;
  let orm: Orm;
  beforeAll(async () => {
    database = await open();
    for (const tenant of ['a', 'b', `x"; select 1; --`]) {
      const schema = `"of ${tenant.replaceAll('"', '""')}"`;
      await database.exec(`create schema ${schema}; grant usage on schema ${schema} to ${database.app};
        create table ${schema}.note (id int, tenant_id text, text text);
        grant select on ${schema}.note to ${database.app};
        insert into ${schema}.note (text) values ('${tenant} 1')`);
    }
    orm = await openOrm.kysely(database.engine, 1);
  });
  afterAll(async () => {
    await orm.close();
    await database.close();
  });

  const schemaOf = ({ tenantId }: TenantContext) => `of ${tenantId}`;
  const inTransaction = <R>(binding: TenantBinding, run: (tx: unknown) => Promise<R>) =>
    orm.transaction(async (tx) => {
      await bindTenant(kyselyQuery(tx as never), { ...binding, by });
      return run(tx);
    });

  it('finds the tables of the tenant, and none outside of a transaction', async () => {
    const read = () => inTransaction({ schemaOf }, orm.texts);
    expect(await tenancy.run('a', read)).toEqual(['a 1']);
    expect(await tenancy.run('b', read)).toEqual(['b 1']);
    await expect(orm.texts(orm.db)).rejects.toThrow('relation "note" does not exist');
    await expect(tenancy.runCentral('report', read)).rejects.toThrow('"note" does not exist');
    await expect(tenancy.run('nobody', read)).rejects.toThrow('"note" does not exist');
  });

  it('quotes each name', async () => {
    const hostile = { tenantId: `x"; select 1; --` };
    expect(await tenancy.run(hostile, () => inTransaction({ schemaOf }, orm.texts))).toEqual([
      `${hostile.tenantId} 1`,
    ]);
    const name = fc.string({ minLength: 1, maxLength: 15, unit: 'grapheme' });
    const schemas = fc.array(name, { minLength: 1, maxLength: 3 });
    const parsed = async (tx: unknown) => {
      const asked = `select current_setting('search_path') as path, current_setting('app.tenant_id') as tenant`;
      return (await kyselyQuery(tx as never)(asked, []))[0];
    };
    await fc.assert(
      fc.asyncProperty(schemas, async (list) => {
        const row = await tenancy.run('a', () =>
          inTransaction({ schemaOf: () => list }, parsed).catch((error: unknown) => error),
        );
        if (row instanceof RlsNameError) return;
        const { path, tenant } = row as { path: string; tenant: string };
        const names = path.match(/"(?:[^"]|"")*"|[^, ]+/g) ?? [];
        const unquoted = names.map((name) => name.replace(/^"|"$/g, '').replaceAll('""', '"'));
        expect({ schemas: unquoted, tenant }).toEqual({ schemas: list, tenant: 'a' });
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', '$user', 'pg_temp', 'pg_catalog', 'information_schema', 'ä'.repeat(32), 'a\nb'])(
    'refuses the schema %j before it asks',
    async (schema) => {
      const asked: string[] = [];
      const query: RlsQuery = (sql) => Promise.resolve([{ owner: String(asked.push(sql)) }]);
      const bound = tenancy.run('a', () => bindTenant(query, { schemaOf: () => schema, by }));
      await expect(bound).rejects.toThrow(RlsNameError);
      await expect(bound).rejects.toThrow(JSON.stringify(schema));
      expect(asked).toEqual([]);
    },
  );

  it('puts shared schemas after the tenant’s', async () => {
    await database.exec(`create schema shared; grant usage on schema shared to ${database.app};
      create table shared.country (name text); grant select on shared.country to ${database.app};
      insert into shared.country values ('Elsewhere')`);
    const binding = { schemaOf: (tenant: TenantContext) => [schemaOf(tenant), 'shared'] };
    const read = (tx: unknown) =>
      kyselyQuery(tx as never)('select text, name from note, country', []);
    expect(await tenancy.run('b', () => inTransaction(binding, read))).toEqual([
      { text: 'b 1', name: 'Elsewhere' },
    ]);
  });
});
