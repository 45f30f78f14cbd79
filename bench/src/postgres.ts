import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { median } from './table.js';

export const DATABASE_URL =
  process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** Kysely on one connection; undefined, with a line that says so, if there is no server. */
export async function openPostgres<DB>(suite: string): Promise<Kysely<DB> | undefined> {
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    max: 1,
    connectionTimeoutMillis: 3_000,
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
    return db;
  } catch (error) {
    const { host } = new URL(DATABASE_URL);
    console.error(`*** No PostgreSQL at ${host}, ${suite} is not measured: ${String(error)}`);
    await db.destroy();
    return undefined;
  }
}

/** The median milliseconds of each query, which take turns. */
export async function inTurns(
  queries: readonly (() => Promise<unknown>)[],
  rounds: number,
): Promise<number[]> {
  const taken = queries.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, query] of queries.entries()) {
      const started = performance.now();
      for (let n = 0; n < 3; n++) await query();
      taken[i]?.push((performance.now() - started) / 3);
    }
  }
  return taken.map(median);
}
