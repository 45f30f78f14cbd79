import { parseQuery } from '@fledge/query';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { atMost, type Effort, type Goal } from '../goal.js';
import { inTurns, openPostgres } from '../postgres.js';
import { show } from '../show.js';
import { table } from '../table.js';

const TASKS = 'fledge_bench_summary_tasks';
const USERS = 'fledge_bench_summary_users';
const ROWS = 1_000_000;
const AUTHORS = 2_000;
const [tasks, users] = [sql.table(TASKS), sql.table(USERS)];

/** Columns whose values are all different, to ask for as many groups as possible. */
const WIDE = ['id', 'token', 'noise', 'mixed', 'amount'] as const;
const NARROW = ['status', 'votes', 'done', 'author.name', 'authorId'] as const;

const CONFIG = {
  columns: {
    id: { type: 'integer', nullable: false },
    status: 'string',
    votes: 'integer',
    amount: 'decimal',
    noise: 'number',
    mixed: 'number',
    token: 'string',
    done: 'boolean',
    created: 'timestamp',
    authorId: { type: 'integer', name: 'author_id' },
    'author.name': 'string',
  },
  relations: { author: { table: USERS, on: { id: `${TASKS}.author_id` } } },
  primaryKey: 'id',
  facetable: [...WIDE, ...NARROW],
  groupable: [...WIDE, ...NARROW, 'created'],
  aggregatable: ['votes', 'amount', 'noise', 'mixed', 'created'],
} as const satisfies KyselyQueryConfig;

type Query = Readonly<Record<string, string>>;

interface Case {
  readonly what: string;
  readonly query: Query;
  /** What gives the same numbers. Each statement is one part of the summary. */
  readonly byHand: readonly RawBuilder<unknown>[];
}

const GROUPED = sql`count(*) as n, count(*) over () as total`;

const CASES: readonly Case[] = [
  {
    what: 'a facet',
    query: { facets: 'status' },
    byHand: [sql`select status, ${GROUPED} from ${tasks} group by 1 order by n desc limit 100`],
  },
  {
    what: 'two facets and a filter on one',
    query: { facets: 'status,votes', filter: 'status:eq:open' },
    byHand: [
      sql`select status, ${GROUPED} from ${tasks} group by 1 order by n desc limit 100`,
      sql`select votes, ${GROUPED} from ${tasks} where status = ${'open'} group by 1 order by n desc limit 100`,
    ],
  },
  {
    what: 'sum and average by status',
    query: { aggregate: 'sum:amount,avg:amount', group: 'status' },
    byHand: [
      sql`select status, ${GROUPED}, sum(amount), avg(amount) from ${tasks} group by 1 order by n desc limit 100`,
    ],
  },
  {
    what: 'count by month in a time zone',
    query: { group: 'created:month', timezone: 'Europe/Berlin' },
    byHand: [
      sql`select date_trunc('month', created at time zone 'Europe/Berlin') as month, ${GROUPED}
        from ${tasks} group by 1 order by n desc limit 100`,
    ],
  },
  {
    what: 'count by name of the author',
    query: { group: 'author.name' },
    byHand: [
      sql`select u.name, ${GROUPED} from ${tasks} t left join ${users} u on u.id = t.author_id
        group by 1 order by n desc limit 100`,
    ],
  },
];

/** The most that one query may ask for by default: 10 facets, 10 aggregates and 3 keys. */
const COSTLIEST: Query = {
  facets: [...WIDE, ...NARROW].join(','),
  aggregate:
    'sum:amount,avg:amount,min:amount,max:amount,sum:noise,avg:noise,min:mixed,max:mixed,min:created,max:created',
  group: 'id,token,created:week',
};

/** Facets and aggregates of a million rows, beside SQL as one writes it by hand, and the most expensive query. */
export async function summaries({ rounds }: Effort): Promise<Goal[]> {
  const db = await openPostgres<Record<string, object>>('summaries');
  if (db === undefined) return [];
  await fill(db);
  const summarize = (query: Query) =>
    kyselyAdapter.summarize(parseQuery(query, CONFIG), CONFIG, db.selectFrom(TASKS));
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const { what, query, byHand } of CASES) {
    const theirs = async () => {
      const answers: number[] = [];
      for (const statement of byHand) {
        const found = await statement.execute(db);
        answers.push(Number((found.rows[0] as { readonly n: string }).n));
      }
      return answers;
    };
    const ours = () => summarize(query);
    checkEqual(what, largestOf(await ours()), await theirs());
    const [own = Number.NaN, hand = Number.NaN] = await inTurns([ours, theirs], rounds);
    rows.push([what, `${own.toFixed(0)} ms`, `${hand.toFixed(0)} ms`, (own / hand).toFixed(2)]);
    goals.push(atMost(`Query: ${what}: over SQL by hand`, 1.2, own / hand));
  }
  show(table([`${ROWS} rows`, '>@fledge/query', '>by hand', '>ratio'], rows));
  const [costliest = Number.NaN] = await inTurns([() => summarize(COSTLIEST)], 1);
  show(`The most expensive query that the default limits allow: ${costliest.toFixed(0)} ms`);
  for (const name of [tasks, users]) await sql`drop table ${name}`.execute(db);
  await db.destroy();
  return goals;
}

/** The rows of the largest group of each part. */
function largestOf({
  facets = {},
  aggregates,
}: Awaited<ReturnType<typeof kyselyAdapter.summarize>>) {
  const parts = [...Object.values(facets), ...(aggregates ? [aggregates] : [])];
  return parts.map(({ groups }) => groups[0]?.count);
}

function checkEqual(what: string, own: unknown, byHand: unknown): void {
  if (JSON.stringify(own) === JSON.stringify(byHand)) return;
  throw new Error(`The two ways do not give the same numbers: ${what}`);
}

async function fill(db: Kysely<Record<string, object>>): Promise<void> {
  for (const statement of [
    sql`drop table if exists ${tasks}, ${users}`,
    sql`create table ${users} (id integer primary key, name text not null)`,
    sql`insert into ${users} select i, 'user ' || i from generate_series(1, ${sql.lit(AUTHORS)}) as i`,
    sql`create table ${tasks} (id integer primary key, status text, votes integer, amount numeric(10, 2),
      noise double precision, mixed double precision, token text, done boolean, created timestamptz(3), author_id integer references ${users})`,
    sql`insert into ${tasks} select i, nullif((array['open', 'done', 'held', ''])[1 + i % 4], ''), i % 11,
      (i::bigint * 7919 % 100003) / 100.0, i * 0.37, (i::bigint * 104729 % 1000003) / 7.0, md5(i::text), i % 2 = 0,
      timestamptz '2024-01-01Z' + i * interval '60 seconds', nullif(i::bigint * 7919 % ${sql.lit(AUTHORS + 1)}, 0)
      from generate_series(1, ${sql.lit(ROWS)}) as i`,
    sql`vacuum analyze ${tasks}`,
    sql`analyze ${users}`,
  ]) {
    await statement.execute(db);
  }
}
