// Needs PostgreSQL.
// The recipes of docs/migrators.md and docs/mikro-orm-migrations.md, as they stand there, on PostgreSQL.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
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

/** PostgreSQL has a schema with the first id, and truncates the names of too long schemas. */
const HARD_IDS = ['public', `${'x'.repeat(49)}a`, `${'x'.repeat(49)}b`];

let project: RecipeProject;
let database: CentralDatabase;

/** A project with the recipes, and with migrations where they read them from. */
function build(): void {
  const blocks = recipesOf('migrators.md');
  const names = ['drizzle', 'kysely', 'knex', 'typeorm'];
  expect(blocks).toHaveLength(names.length);
  const recipes = Object.fromEntries(blocks.map((code, i) => [names[i] as string, code]));
  const [schemas, connection] = recipesOf('mikro-orm-migrations.md') as [string, string];
  project = recipeProject({
    ...recipes,
    'mikro-orm': schemas,
    'mikro-orm-databases': forDatabases(schemas, connection),
  });
  mkdirSync(join(project.folder, 'drizzle/meta'), { recursive: true });
  drizzleMigrations(['0000_note', 1_700_000_000_000]);
  mkdirSync(join(project.folder, 'knex'));
  writeFileSync(
    join(project.folder, 'knex/001_note.cjs'),
    `exports.up = (db) => db.schema.createTable('note', (table) => table.text('text'));\nexports.down = () => {};\n`,
  );
}

function drizzleMigrations(...migrations: [tag: string, when: number][]): void {
  const entries = migrations.map(([tag, when], idx) => ({
    idx,
    version: '7',
    when,
    tag,
    breakpoints: true,
  }));
  writeFileSync(
    join(project.folder, 'drizzle/meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  for (const [tag] of migrations) {
    const table = tag.split('_')[1];
    writeFileSync(
      join(project.folder, 'drizzle', `${tag}.sql`),
      `create table ${table} (text text);`,
    );
  }
}

async function migrated(recipe: string, ...tenants: string[]) {
  const call = { program: 'migrator.mjs', recipe, args: tenants, url: database.url };
  return (await project.run(call)) as { before: string[][]; after: string[][] };
}

beforeAll(async () => {
  build();
  database = await createCentralDatabase();
});
afterAll(async () => {
  await database.drop();
  project.remove();
});

describe('a recipe', () => {
  it.each([
    // First: MikroORM fails where any schema has a quotation mark in its name.
    ['mikro-orm', '20260101000000_note', 'mikro_orm_migrations'],
    ['drizzle', '2023-11-14T22:13:20.000Z', '__drizzle_migrations'],
    ['kysely', '001_note', 'kysely_migration'],
    ['knex', '001_note.cjs', 'knex_migrations'],
    ['typeorm', 'Note1700000000000', 'migrations'],
  ])('of %s migrates schemas at once, each with its own table', async (recipe, name, table) => {
    const tenants = [recipe === 'mikro-orm' ? `${recipe} b` : `${recipe} "b"`, ...HARD_IDS];
    const schemas = tenants.map((tenant) => `tenant_${tenant}`);
    for (const schema of schemas) {
      await database.ask(`create schema ${pg.escapeIdentifier(schema)}`);
    }
    expect(await migrated(recipe, ...tenants)).toEqual({
      before: tenants.map(() => [name]),
      after: tenants.map(() => []),
    });
    const found = await database.ask(
      'select schemaname, tablename from pg_tables where tablename = any($1) order by 2, 1',
      [['note', table]],
    );
    const own = found.filter(({ schemaname }) => schemas.includes(String(schemaname)));
    expect(own.map(({ tablename }) => tablename).toSorted()).toEqual(
      schemas.flatMap(() => ['note', table]).toSorted(),
    );
    const [{ n }] = (await database.ask(
      `select count(*)::int as n from pg_tables where (tablename = $1 or schemaname = 'public') and schemaname <> all($2)`,
      [table, schemas],
    )) as [{ n: number }];
    expect(n).toBe(0);
    for (const schema of schemas)
      await database.ask(`drop schema ${pg.escapeIdentifier(schema)} cascade`);
  });

  it('of MikroORM creates a database that is missing', async () => {
    const tenant = `${database.name}_missing`;
    const name = `tenant_${tenant}`;
    await migrated('mikro-orm-databases', tenant);
    const found = await database.ask('select datname from pg_database where datname = $1', [name]);
    await database.ask(`drop database ${name} with (force)`);
    expect(found).toHaveLength(1);
  });

  it('of Knex frees the lock of a runner that was killed', async () => {
    await database.ask('create schema tenant_stale');
    await migrated('knex', 'stale');
    await database.ask('update tenant_stale.knex_migrations_lock set is_locked = 1');
    await database.ask('delete from tenant_stale.knex_migrations; drop table tenant_stale.note');
    expect((await migrated('knex', 'stale')).after).toEqual([[]]);
  });

  it('of Drizzle names the migration that Drizzle skips', async () => {
    await database.ask('create schema tenant_skipping');
    await migrated('drizzle', 'skipping');
    drizzleMigrations(['0000_note', 1_700_000_000_000], ['0001_older', 1_600_000_000_000]);
    const { before, after } = await migrated('drizzle', 'skipping');
    expect([before, after]).toEqual([
      [['2020-09-13T12:26:40.000Z']],
      [['2020-09-13T12:26:40.000Z']],
    ]);
  });
});
