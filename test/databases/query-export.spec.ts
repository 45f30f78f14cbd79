// Needs PostgreSQL.
// A client that leaves an export stops the query that PostgreSQL runs for it, with the recipe of libs/query/docs/export.md.
import { randomBytes } from 'node:crypto';
import { exportPages, type ParsedQuery } from '@fledge/query';
import { kyselyAdapter } from '@fledge/query/kysely';
import { Cursors, Qs, QueryModule } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { closeNow } from '../support/close-now.js';
import { platforms } from '../support/platforms.js';
import { until } from '../support/until.js';

const TASKS = {
  columns: { id: { type: 'integer', nullable: false } },
  primaryKey: 'id',
} as const;
const table = `fledge_export_${randomBytes(6).toString('hex')}`;
const url = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

let pool: pg.Pool;
let db: Kysely<Record<string, { id: number }>>;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: url });
  db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  await pool.query(`create table ${table} as select i as id from generate_series(1, 5000) as i`);
});
afterAll(async () => {
  await pool.query(`drop table ${table}`);
  await db.destroy();
});

/** Runs a query on one connection. Asks PostgreSQL to stop it when the signal aborts. */
async function cancelledBy<T>(
  signal: AbortSignal,
  run: (connection: typeof db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
    const cancel = () => void sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await run(connection);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  });
}

const SLOW = sql<boolean>`pg_sleep(60) is not null`;
const errors: unknown[] = [];

@Controller()
class TasksController {
  constructor(private readonly cursors: Cursors) {}

  @Get('export')
  async export(@Qs(TASKS, { cursors: true }) query: ParsedQuery<typeof TASKS>) {
    const { stream, type } = await exportPages(
      (page, signal) => {
        const { apply, cursorOf } = kyselyAdapter.buildKeyset(page, TASKS, this.cursors.for(page));
        const data = cancelledBy(signal, (connection) => {
          // The second page takes a minute for each row.
          const rows = connection
            .selectFrom(table)
            .selectAll()
            .where(page.after === undefined ? sql<boolean>`true` : SLOW);
          return apply(rows).execute();
        }).catch((error: unknown) => {
          errors.push(error);
          throw error;
        });
        return { data, cursorOf };
      },
      query,
      { pageSize: 1000 },
    );
    return new StreamableFile(stream, { type });
  }
}

describe.each(platforms)('on $name', ({ adapter }) => {
  it('cancels the query in the database', async () => {
    errors.length = 0;
    const app = await NestFactory.create<INestApplication>(
      {
        module: class AppModule {},
        imports: [QueryModule.forRoot({ cursors: { secret: 'of this spec, long enough' } })],
        controllers: [TasksController],
      },
      adapter(),
      { logger: false, abortOnError: false },
    );
    await app.listen(0, '127.0.0.1');
    const running = async () => {
      const { rows } = await pool.query(
        `select pid from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
        [`%"${table}"%pg_sleep%`],
      );
      return rows.length;
    };
    const response = await fetch(`${await app.getUrl()}/export`);
    expect(response.status).toBe(200);
    await until(async () => (await running()) === 1, 'the query of the second page');
    await response.body?.cancel();
    await until(async () => (await running()) === 0, 'the end of the query');
    await until(() => errors.length === 1, 'the error of the driver');
    // query_canceled
    expect(errors).toEqual([expect.objectContaining({ code: '57014' })]);
    await closeNow(app);
  });
});
