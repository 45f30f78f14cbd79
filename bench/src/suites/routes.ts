import { type Kysely, sql } from 'kysely';
import { atLeast, type Effort, type Goal } from '../goal.js';
import { comparisonTable, type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { openPostgres } from '../postgres.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';

const READERS = {
  none: ['the same rows without reading a query string', ''],
  fledge: [
    '@fledge/query',
    'filter=status:eq:open&filter=priority:gte:3&sort=priority:desc&sort=title:asc&page=2&limit=20&q=deploy',
  ],
  'nestjs-paginate': [
    'nestjs-paginate 15.0.1',
    'filter.status=$eq:open&filter.priority=$gte:3&sortBy=priority:DESC&sortBy=title:ASC&page=2&limit=20&search=deploy',
  ],
} as const;

const TABLE = 'fledge_bench_list';
const ROWS = 10_000;

/** A complete list route on TypeORM and PostgreSQL: two filters, two sorts, a search, a page and the total. */
export async function routes(effort: Effort): Promise<Goal[]> {
  const db = await openPostgres('routes');
  if (db === undefined) return [];
  const expected = await fill(db);
  const goals: Goal[] = [];
  for (const platform of ['Express', 'Fastify']) {
    goals.push(await routesOn(platform, expected, effort));
  }
  await sql`drop table ${sql.table(TABLE)}`.execute(db);
  await db.destroy();
  return goals;
}

/** @param expected ids of the rows that each route must return */
async function routesOn(platform: string, expected: string, effort: Effort): Promise<Goal> {
  const targets: Target[] = [];
  for (const [reader, [name, query]] of Object.entries(READERS)) {
    const server = await Server.start('list-routes', platform, reader, TABLE);
    const isRight = (body: string) => idsOf(body) === expected;
    targets.push({ name, server, method: 'GET', path: `/tasks?${query}`, headers: {}, isRight });
  }
  const rows = await measureInTurn(targets, effort);
  for (const { server } of targets) server.stop();
  const [, ours, theirs] = rows as [Measurement, Measurement, Measurement];
  show(comparisonTable([platform, 'of ours'], rows, () => ours));
  return atLeast(`${platform}, list route: nestjs-paginate over ours`, 1, ratioOf(theirs, ours));
}

function idsOf(body: string): string {
  const { data } = JSON.parse(body) as { readonly data: readonly { readonly id: number }[] };
  return data.map(({ id }) => id).join();
}

/** Makes the table. Returns the ids of the page that the routes are asked for. */
async function fill(db: Kysely<unknown>): Promise<string> {
  const name = sql.table(TABLE);
  await sql`drop table if exists ${name}`.execute(db);
  await sql`create table ${name} (id integer primary key, title text not null, status text not null, priority integer not null)`.execute(
    db,
  );
  await sql`insert into ${name} select i, case i % 4 when 0 then 'deploy ' else 'write ' end || i,
    case i % 3 when 0 then 'open' else 'done' end, i % 5 from generate_series(1, ${sql.lit(ROWS)}) as i`.execute(
    db,
  );
  await sql`vacuum analyze ${name}`.execute(db);
  const { rows } = await sql<{ id: number }>`select id from ${name}
    where status = 'open' and priority >= 3 and title ilike '%deploy%'
    order by priority desc, title offset 20 limit 20`.execute(db);
  return rows.map(({ id }) => id).join();
}
