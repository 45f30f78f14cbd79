// Needs PostgreSQL.
// The example with Prisma, on a real PostgreSQL. It is built here, with the Prisma that libs/query/test/prisma installs
// once for the specs of the adapter.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { answerOf, connect, runFile, stopAll } from '../examples.js';

afterEach(stopAll);

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const example = join(root, 'apps/examples/prisma');
const installed = join(root, 'libs/query/test/prisma');

/** Does what `npm install` and `npm run build` do for a reader. */
function build(): void {
  const node = (cwd: string, file: string, ...args: string[]) =>
    execFileSync(process.execPath, [file, ...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      // Only migrations need the schema engine, which would be downloaded.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
    });
  node(installed, 'prepare.mjs');
  mkdirSync(join(example, 'node_modules'), { recursive: true });
  for (const name of ['prisma', '@prisma']) {
    const link = join(example, 'node_modules', name);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(join(installed, 'node_modules', name), link, 'dir');
  }
  node(example, 'node_modules/prisma/build/index.js', 'generate');
  node(example, join(root, 'node_modules/typescript/bin/tsc'));
}

it('prisma lists rows with a column of a relation, by URL and by tool', async () => {
  build();
  const name = `fledge_example_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: DATABASE_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  const database = new URL(DATABASE_URL);
  database.pathname = `/${name}`;
  try {
    const owner = new pg.Client({ connectionString: database.href });
    await owner.connect();
    await owner.query(readFileSync(join(example, 'migrations/1_init/migration.sql'), 'utf8'));
    await owner.end();

    const url = await runFile(join(example, 'dist/main.js'), { DATABASE_URL: database.href });
    const page = {
      data: [{ title: 'The Descent of Man', year: 1871, author: { name: 'Charles Darwin' } }],
      meta: { page: 1, limit: 1, total: 2, totalPages: 2, hasNext: true, hasPrev: false },
    };
    const answer = await fetch(
      `${url}/books?filter=author:eq:Charles Darwin&sort=year:desc&limit=1`,
    );
    expect(await answer.json()).toEqual(page);
    const args = { filter: ['author:eq:Charles Darwin'], sort: ['year:desc'], limit: 1 };
    const client = await connect(url);
    expect(await answerOf(client, 'books_list', args)).toEqual(page);
    await client.close();
    const found = await (await fetch(`${url}/books?q=carson`)).json();
    expect(found).toMatchObject({ data: [{ title: 'Silent Spring' }], meta: { total: 1 } });
    expect((await fetch(`${url}/books?filter=year:gt:late`)).status).toBe(400);
  } finally {
    await stopAll();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
});

it('prisma has 120 lines at most', () => {
  const lines = readFileSync(join(example, 'main.ts'), 'utf8').split('\n').length;
  expect(lines).toBeLessThan(122);
});
