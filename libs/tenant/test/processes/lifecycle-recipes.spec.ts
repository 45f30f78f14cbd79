// Needs PostgreSQL.
// The recipes of docs/mikro-orm-migrations.md and docs/prisma-migrate.md, run by TenantLifecycle on PostgreSQL.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TenantRunReport } from '@fledge/tenant/lifecycle';
import {
  type CentralDatabase,
  createCentralDatabase,
} from '../../../../test/support/central-database.js';
import {
  forDatabases,
  type RecipeProject,
  recipeProject,
  recipesOf,
} from '../lifecycle/recipes.js';
import { preparePrisma, PRISMA_PROJECT, resolveRolledBack } from '../prisma-migrate/prepared.js';

const MIGRATION = '20260101000000_note';
let project: RecipeProject;

beforeAll(() => {
  preparePrisma();
  const [schemas, databases] = recipesOf('mikro-orm-migrations.md') as [string, string];
  const [prisma, prismaDatabases] = recipesOf('prisma-migrate.md') as [string, string];
  project = recipeProject({
    'mikro-orm-schema': schemas,
    'mikro-orm-database': forDatabases(schemas, databases),
    'prisma-schema': prisma,
    'prisma-database': forDatabases(prisma, prismaDatabases),
  });
});
afterAll(() => project.remove());

describe.each([
  { migrator: 'mikro-orm', table: 'mikro_orm_migrations' },
  { migrator: 'prisma', table: '_prisma_migrations', cwd: PRISMA_PROJECT },
])('the recipe of $migrator', ({ migrator, table, cwd }) => {
  describe.each(['schema', 'database'])('with a %s per tenant', (model) => {
    let central: CentralDatabase;
    let tenants: string[];

    beforeAll(async () => {
      central = await createCentralDatabase();
      tenants = ['a', 'b', 'c'].map((name) => `${central.name}_${name}`);
      for (const tenant of tenants) await central.ask(`create ${model} tenant_${tenant}`);
    });
    afterAll(async () => {
      if (model === 'database') {
        for (const tenant of tenants)
          await central.ask(`drop database tenant_${tenant} with (force)`);
      }
      await central.drop();
    });

    const urlOf = (tenant: string) => {
      const url = new URL(central.url);
      if (model === 'database') url.pathname = `/tenant_${tenant}`;
      else url.searchParams.set('schema', `tenant_${tenant}`);
      return url.href;
    };
    const ask = async (tenant: string, sql: string) => {
      const options = model === 'schema' ? `-c search_path=tenant_${tenant}` : '';
      const client = new pg.Client({ connectionString: urlOf(tenant), options });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    };
    const migrated = async () => {
      const recipe = `${migrator}-${model}`;
      const call = { program: 'recipe-fleet.mjs', recipe, args: tenants, url: central.url, cwd };
      const { ok, outcomes, pending } = (await project.run(call)) as TenantRunReport & {
        pending: string[][];
      };
      const statuses = Object.fromEntries(outcomes.map((it) => [it.tenant?.at(-1), it.status]));
      // All errors, so that a failure says why.
      const errors = outcomes.flatMap(({ error = [] }) => error);
      return { ok, statuses, pending, errors };
    };

    it('migrates the others where one fails, and the rerun touches that one only', async () => {
      const [, b] = tenants as [string, string];
      await ask(b, 'create sequence note');
      const first = await migrated();
      expect(first).toEqual({
        ok: false,
        statuses: { a: 'done', b: 'failed', c: 'done' },
        pending: [[], [MIGRATION], []],
        errors: [expect.stringContaining('relation "note" already exists')],
      });

      await ask(b, 'drop sequence note');
      if (migrator === 'prisma') {
        expect((await migrated()).errors).toEqual([expect.stringContaining('P3009')]);
        await resolveRolledBack(MIGRATION, urlOf(b));
      }
      expect(await migrated()).toEqual({
        ok: true,
        statuses: { a: 'current', b: 'done', c: 'current' },
        pending: [[], [], []],
        errors: [],
      });
    });

    it('keeps the list of migrations with the tenant, once for each', async () => {
      for (const tenant of tenants) {
        const named = migrator === 'prisma' ? 'migration_name' : 'name';
        const done = migrator === 'prisma' ? 'finished_at is not null' : 'true';
        const rows = await ask(tenant, `select ${named} as name from ${table} where ${done}`);
        expect(rows).toEqual([{ name: MIGRATION }]);
        expect(await ask(tenant, 'select text from note')).toEqual([]);
      }
      const sql = `select from pg_tables where tablename in ('note', '${table}')
        and schemaname <> all($1)`;
      expect(await central.ask(sql, [tenants.map((tenant) => `tenant_${tenant}`)])).toEqual([]);
    });
  });
});
