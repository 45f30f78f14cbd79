import { parseQuery } from '@fledge/query';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { type Kysely, sql } from 'kysely';
import { atLeast, type Effort, type Goal } from '../goal.js';
import { inTurns, openPostgres } from '../postgres.js';
import { show } from '../show.js';
import { table } from '../table.js';

const TABLE = 'fledge_bench_tasks';
const ROWS = 500_000;
const LIMIT = 20;
const SECRET = 'a secret of no worth to anybody';

const TASKS: KyselyQueryConfig = {
  columns: {
    id: { type: 'integer', nullable: false },
    created: { type: 'timestamp', nullable: false },
    title: { type: 'string', nullable: false },
  },
  primaryKey: 'id',
};

interface Row {
  readonly id: number;
  readonly created: Date;
  readonly title: string;
}

/** Pages deep in a large table, by number and by cursor, with the SQL of the Kysely adapter. */
export async function paging({ rounds }: Effort): Promise<Goal[]> {
  const db = await openPostgres<Record<string, Row>>('paging');
  if (db === undefined) return [];
  await fill(db);
  const depths = [0, 10_000, ROWS - 1_000];
  const rows = [];
  let ratio = Number.NaN;
  for (const depth of depths) {
    const parsed = parseQuery(
      { sort: 'created:desc', limit: String(LIMIT), page: String(depth / LIMIT + 1) },
      TASKS,
    );
    const byNumber = kyselyAdapter.build(parsed, TASKS);
    const before =
      depth === 0
        ? undefined
        : await db
            .selectFrom(TABLE)
            .selectAll()
            .orderBy('created', 'desc')
            .orderBy('id')
            .offset(depth - 1)
            .limit(1)
            .executeTakeFirstOrThrow();
    const start = kyselyAdapter.buildKeyset(parsed, TASKS, { secret: SECRET });
    const byCursor = kyselyAdapter.buildKeyset(parsed, TASKS, {
      secret: SECRET,
      lookAhead: false,
      ...(before && { after: start.cursorOf(before) }),
    });
    const pages = [byNumber, byCursor].map(
      ({ apply }) =>
        () =>
          apply(db.selectFrom(TABLE).selectAll()).execute(),
    );
    const [one, other] = await Promise.all(pages.map((page) => page()));
    if (JSON.stringify(one) !== JSON.stringify(other) || one?.length !== LIMIT) {
      throw new Error(`The two ways do not give the same page at row ${depth}`);
    }
    const [offset = Number.NaN, keyset = Number.NaN] = await inTurns(pages, Math.max(rounds, 5));
    ratio = offset / keyset;
    rows.push([
      `from row ${depth}`,
      `${offset.toFixed(2)} ms`,
      `${keyset.toFixed(2)} ms`,
      ratio.toFixed(1),
    ]);
  }
  await sql`drop table ${sql.table(TABLE)}`.execute(db);
  await db.destroy();
  show(table([`A page of ${LIMIT} of ${ROWS} rows`, '>by number', '>by cursor', '>ratio'], rows));
  return [atLeast('Query: offset over keyset, at the end of the table', 10, ratio)];
}

async function fill(db: Kysely<Record<string, Row>>): Promise<void> {
  const name = sql.table(TABLE);
  await sql`drop table if exists ${name}`.execute(db);
  await sql`create table ${name} (id integer primary key, created timestamptz(3) not null, title text not null)`.execute(
    db,
  );
  await sql`insert into ${name} select i, timestamptz '2020-01-01' + (i::bigint * 7919 % ${sql.lit(ROWS)}) * interval '1 minute', 'task ' || i
    from generate_series(1, ${sql.lit(ROWS)}) as i`.execute(db);
  await sql`create index on ${name} (created desc, id)`.execute(db);
  await sql`vacuum analyze ${name}`.execute(db);
}
