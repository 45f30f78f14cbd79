// Needs PostgreSQL.
// `fledge tenant` on an application that tsc compiled, as an ES module and as CommonJS, on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCentralDatabase, type CentralDatabase } from '../support/central-database.js';
import { emitByTsc } from '../support/emitted-by-tsc.js';
import { root } from '../support/snippets.js';
import { until } from '../support/until.js';
import { fledge, launch, onTerminal } from '../../libs/cli/test/support/fledge.js';

const SOURCE = fileURLToPath(new URL('../tenant-command/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fledge-tenants-'));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
let database: CentralDatabase;

/** A project with the application in dist/main.js. `npm run check` checks its types. */
function build(type: 'module' | 'commonjs'): void {
  const at = join(folder, type);
  mkdirSync(join(at, 'dist'), { recursive: true });
  writeFileSync(join(at, 'package.json'), JSON.stringify({ type }));
  const module = type === 'module' ? 'ESNext' : 'CommonJS';
  writeFileSync(join(at, 'dist/main.js'), emitByTsc(readFileSync(SOURCE, 'utf8'), module));
}

const run = (args: string[], env: Record<string, string> = {}, type = 'module') =>
  fledge(['tenant', ...args], {
    cwd: join(folder, type),
    env: { DATABASE_URL: database.url, ...env },
  });
const json = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(() => {
  for (const type of ['module', 'commonjs'] as const) build(type);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('fledge tenant', () => {
  beforeAll(async () => {
    database = await createCentralDatabase();
    await database.ask('create table company (id text primary key, status text)');
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.ask('truncate company');
    await database.ask('drop table if exists fledge_tenant_step');
    for (const id of ['acme', 'beta', 'gamma']) {
      await database.ask(`insert into company values ($1, 'active')`, [id]);
      await database.ask(`drop schema if exists ${id} cascade`);
      await database.ask(`create schema ${id}`);
    }
  });

  it.each([
    ['module', 'express'],
    ['module', 'context'],
    ['commonjs', 'fastify'],
  ])('migrates with a %s on %s, and starts nothing else', async (type, PLATFORM) => {
    const { code, out, err } = await run(
      ['migrate', '--json', '--verbose', '--concurrency', '1'],
      { PLATFORM },
      type,
    );
    expect(json(out)).toEqual([
      { tenant: null, step: 'migrate', status: 'done', ms: expect.any(Number), attempt: 1 },
      ...['acme', 'beta', 'gamma'].map((tenant) =>
        expect.objectContaining({ tenant, step: 'migrate', status: 'done', attempt: 1 }),
      ),
      { summary: { ok: true, done: 3 } },
    ]);
    expect(code).toBe(0);
    // What the application prints, on stdout too, is on stderr.
    expect(err).toContain('starting, on stdout');
    expect(err).toContain('acme: migrates');
    expect(err).toContain('closed the pool');
    expect(err).not.toContain('THE WORKER STARTED');
    expect(err).not.toContain('IT SERVES');
  });

  it('exits with 1 after a failure, and the rerun names what is left', async () => {
    const first = await run(['migrate', '--concurrency', '1'], { FAILING: 'beta' });
    expect(first.code).toBe(1);
    const lines = first.out
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines.map(([tenant, , status]) => `${tenant} ${status}`)).toEqual([
      '(central) done',
      'acme done',
      'beta failed',
      'gamma done',
    ]);
    expect(lines[2]?.at(-1)).toBe('division by zero');
    expect(first.err).toBe(
      '3 tenants: 2 done, 1 failed. Run the command again for the remaining tenants.\n',
    );
    const check = await run(['status', '--check']);
    expect(check.code).toBe(1);
    expect(check.out).toMatch(/^beta\tactive\tfailed\tone\t1\t\S+\tdivision by zero$/m);
    expect((await run(['status'])).code).toBe(0);

    const second = await run(['migrate', '--json', '--concurrency', '1']);
    expect(second.code).toBe(0);
    expect(
      json(second.out).map(({ tenant, status }) => `${String(tenant)} ${String(status)}`),
    ).toEqual([
      'null current',
      'acme current',
      'beta done',
      'gamma current',
      'undefined undefined',
    ]);
    expect((await run(['status', '--check'])).code).toBe(0);
  });

  it('writes nothing with --dry-run, and stops at a canary that fails', async () => {
    const dry = await run(['migrate', '--dry-run', '--json']);
    expect([dry.code, json(dry.out).at(-1)]).toEqual([0, { summary: { ok: true, pending: 3 } }]);
    expect(await database.ask(`select to_regclass('fledge_tenant_step') as made`)).toEqual([
      { made: null },
    ]);
    const stopped = await run(['migrate', '--canary', 'beta', '--json'], { FAILING: 'beta' });
    expect([stopped.code, json(stopped.out).at(-1)]).toEqual([
      1,
      { summary: { ok: false, stopped: 'canary', failed: 1, skipped: 2 } },
    ]);
  });

  it('says that a dry run cannot list tenants before the central migration, and fails after it', async () => {
    await database.ask('drop table company');
    try {
      const dry = await run(['migrate', '--dry-run', '--json', '--tenants', 'acme']);
      expect([dry.code, json(dry.out)]).toEqual([
        0,
        [
          expect.objectContaining({ tenant: null, status: 'pending' }),
          { summary: { ok: true, stopped: 'unlisted' } },
        ],
      ]);
      expect((await run(['migrate', '--dry-run'])).err).toContain(
        'The store cannot list tenants until the central database is migrated.',
      );

      expect((await run(['migrate'])).code).toBe(0);
      await database.ask('drop table company');
      const broken = await run(['migrate', '--dry-run']);
      expect([broken.code, broken.err]).toEqual([
        1,
        expect.stringContaining('relation "company" does not exist'),
      ]);
    } finally {
      await database.ask('create table if not exists company (id text primary key, status text)');
    }
  });

  it('creates, resumes, suspends, lists, runs for and removes tenants', async () => {
    const half = await run(['create', 'delta'], { FAILING: 'delta' });
    expect([half.code, half.out]).toEqual([
      1,
      expect.stringMatching(/^delta\tprovision\tdone.*\ndelta\tmigrate\tfailed/),
    ]);
    const taken = await run(['create', 'delta']);
    expect([taken.code, taken.err]).toEqual([
      2,
      expect.stringContaining('(TENANT_EXISTS) [CLI_TENANT_REFUSED]'),
    ]);
    expect((await run(['create', 'delta', '--resume'])).code).toBe(0);
    expect((await run(['suspend', 'delta'])).code).toBe(0);
    expect((await run(['list'])).out).toBe(
      'acme\tactive\nbeta\tactive\ndelta\tsuspended\ngamma\tactive\n',
    );
    expect((await run(['activate', 'delta'])).code).toBe(0);
    const hello = await run([
      'run',
      'hello',
      '--tenants',
      'acme,delta',
      '--concurrency',
      '1',
      '--verbose',
      '--json',
    ]);
    expect(
      json(hello.out)
        .map(({ tenant, step }) => `${String(tenant)} ${String(step)}`)
        .slice(0, 2),
    ).toEqual(['acme run:hello', 'delta run:hello']);
    expect(hello.err).toContain('hello delta');
    expect(await run(['remove', 'delta'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    });
    expect((await run(['remove', 'delta', '--yes'])).code).toBe(0);
    expect(await database.ask(`select from pg_namespace where nspname = 'delta'`)).toEqual([]);
    expect((await run(['list', '--json'])).out).not.toContain('delta');
  });

  it('exits with 0 if there are no tenants', async () => {
    await database.ask('truncate company');
    const { code, err } = await run(['migrate']);
    expect([code, err]).toEqual([0, '0 tenants.\n']);
  });

  it.each([
    [
      ['migrate', '--tenants', 'nobody'],
      2,
      /does not contain the tenant "nobody".*\(TENANT_NOT_LISTED\)/,
    ],
    [['migrate', '--concurrency', '0'], 2, /--concurrency is "0", but must be a whole number/],
    [['run', 'nothing'], 2, /has no option `tasks\.nothing`/],
    [['seed'], 2, /has no option `tenant\.seed`/],
    [['suspend', 'nobody'], 2, /There is no such tenant/],
    [['create', 'a/b'], 2, /contains an invalid tenant identifier/],
  ])('refuses %j', async (args, code, message) => {
    expect(await run(args)).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  it('says why an application cannot take the command', async () => {
    const without = await run(['list'], { WITHOUT: '1' });
    expect([without.code, without.err]).toEqual([
      3,
      expect.stringMatching(/has no TenantLifecycleModule[\s\S]*IT SERVES/),
    ]);
    const nowhere = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' };
    const down = await run(['migrate'], nowhere);
    expect([down.code, down.err]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  });

  // A closed terminal sends SIGHUP.
  it.each(['SIGINT', 'SIGHUP'] as const)(
    'finishes what it began after %s, and exits with 130',
    async (signal) => {
      const { child, printed, until, end } = launch(['tenant', 'migrate', '--json', '--verbose'], {
        cwd: join(folder, 'module'),
        env: { DATABASE_URL: database.url, SLOW: '1' },
      });
      await until(/acme: migrates/);
      child.kill(signal);
      expect(await end()).toMatchObject({ code: 130 });
      expect(json(printed.out).at(-1)).toEqual({
        summary: { ok: false, stopped: 'signal', done: 1, skipped: 2 },
      });
      expect(
        await database.ask(
          `select tenant_id, status from fledge_tenant_step where tenant_id <> ''`,
        ),
      ).toEqual([{ tenant_id: 'acme', status: 'done' }]);
    },
  );

  it('lets the application finish what it began when the command itself is killed', async () => {
    const migrating = launch(['tenant', 'migrate', '--verbose'], {
      cwd: join(folder, 'module'),
      env: { DATABASE_URL: database.url, SLOW: '1' },
    });
    await migrating.until(/acme: migrates/);
    migrating.child.kill('SIGKILL');
    const rows = () =>
      database.ask(`select tenant_id, status from fledge_tenant_step where tenant_id <> ''`);
    await until(async () => (await rows()).every(({ status }) => status === 'done'));
    const busy = `select from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`;
    await until(async () => (await database.ask(busy, [database.name])).length === 0);
    expect(await rows()).toEqual([{ tenant_id: 'acme', status: 'done' }]);
  });

  const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
  (hasTerminal ? it : it.skip)('shows a bar on a terminal, and the failures', async () => {
    const { out } = await onTerminal(['tenant', 'migrate'], {
      cwd: join(folder, 'module'),
      env: { DATABASE_URL: database.url, FAILING: 'gamma', NO_COLOR: '1' },
    });
    expect(out).toContain('[################--------] 2/3');
    expect(out).toContain('[########################] 3/3 1 failed');
    expect(out).toContain('failed  gamma  migrate  division by zero\r\n');
    expect(out).toMatch(
      /3 tenants: 2 done, 1 failed\. Run the command again for the remaining tenants\.\r\n$/,
    );
  });
});
