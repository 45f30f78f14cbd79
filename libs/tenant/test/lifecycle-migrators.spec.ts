// The recipes of docs/migrators.md, as they stand there, on PostgreSQL.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksOf, root } from '../../../test/support/snippets.js';
import {
  type CentralDatabase,
  createCentralDatabase,
} from '../../../test/support/central-database.js';

const MIGRATOR = fileURLToPath(new URL('./lifecycle/migrator.mjs', import.meta.url));
const recipes = ['drizzle', 'kysely', 'knex', 'typeorm'] as const;
const folder = mkdtempSync(join(tmpdir(), 'fledge-migrators-'));
let database: CentralDatabase;

/** A project with the recipes, and with migrations where they read them from. */
function build(): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  blocksOf('libs/tenant/docs/migrators.md', 'ts').forEach((code, i) =>
    writeFileSync(join(folder, `${recipes[i]}.ts`), code),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const typeRoots = [join(root, 'node_modules/@types')];
  const compilerOptions = { noEmit: false, outDir: 'dist', rootDir: '.', paths: {}, typeRoots };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  );
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  mkdirSync(join(folder, 'drizzle/meta'), { recursive: true });
  drizzleMigrations(['0000_note', 1_700_000_000_000]);
  mkdirSync(join(folder, 'knex'));
  writeFileSync(
    join(folder, 'knex/001_note.cjs'),
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
    join(folder, 'drizzle/meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  );
  for (const [tag] of migrations) {
    const table = tag.split('_')[1];
    writeFileSync(join(folder, 'drizzle', `${tag}.sql`), `create table ${table} (text text);`);
  }
}

async function migrated(recipe: string, ...schemas: string[]) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', MIGRATOR, join(folder, 'dist', `${recipe}.js`), ...schemas],
    { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url } },
  );
  return JSON.parse(stdout) as { before: string[][]; after: string[][] };
}

beforeAll(async () => {
  build();
  database = await createCentralDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

describe('a recipe', () => {
  it.each([
    ['drizzle', '2023-11-14T22:13:20.000Z', '__drizzle_migrations'],
    ['kysely', '001_note', 'kysely_migration'],
    ['knex', '001_note.cjs', 'knex_migrations'],
    ['typeorm', 'Note1700000000000', 'migrations'],
  ])('of %s migrates two schemas at once, each with its own table', async (recipe, name, table) => {
    const schemas = [`${recipe}_a`, `${recipe} "b"`];
    for (const schema of schemas) {
      await database.ask(`create schema "${schema.replaceAll('"', '""')}"`);
    }
    expect(await migrated(recipe, ...schemas)).toEqual({
      before: [[name], [name]],
      after: [[], []],
    });
    const found = await database.ask(
      'select schemaname, tablename from pg_tables where tablename = any($1) order by 2, 1',
      [['note', table]],
    );
    const own = found.filter(({ schemaname }) => schemas.includes(String(schemaname)));
    expect(own.map(({ tablename }) => tablename).toSorted()).toEqual(
      ['note', 'note', table, table].toSorted(),
    );
    const [{ n }] = (await database.ask(
      `select count(*)::int as n from pg_tables where tablename = $1 and schemaname <> all($2)`,
      [table, schemas],
    )) as [{ n: number }];
    expect(n).toBe(0);
  });

  it('of Knex frees the lock of a runner that was killed', async () => {
    await database.ask('create schema stale');
    await migrated('knex', 'stale');
    await database.ask('update stale.knex_migrations_lock set is_locked = 1');
    await database.ask('delete from stale.knex_migrations; drop table stale.note');
    expect((await migrated('knex', 'stale')).after).toEqual([[]]);
  });

  it('of Drizzle names the migration that Drizzle skips', async () => {
    await database.ask('create schema skipping');
    await migrated('drizzle', 'skipping');
    drizzleMigrations(['0000_note', 1_700_000_000_000], ['0001_older', 1_600_000_000_000]);
    const { before, after } = await migrated('drizzle', 'skipping');
    expect([before, after]).toEqual([
      [['2020-09-13T12:26:40.000Z']],
      [['2020-09-13T12:26:40.000Z']],
    ]);
  });
});
