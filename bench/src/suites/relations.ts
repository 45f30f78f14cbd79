import { parseQuery } from '@fledge/query';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { type Kysely, sql } from 'kysely';
import { atMost, type Effort, type Goal } from '../goal.js';
import { inTurns, openPostgres } from '../postgres.js';
import { show } from '../show.js';
import { table } from '../table.js';

const TASKS = 'fledge_bench_related_tasks';
const USERS = 'fledge_bench_users';
const LABELS = 'fledge_bench_labels';
const ROWS = 200_000;
const AUTHORS = 2_000;

const OWN = {
  id: { type: 'integer', nullable: false },
  'author.name': 'string',
} as const;

const CONFIG = {
  columns: { ...OWN, 'labels.name': 'string' },
  sortable: OWN,
  primaryKey: 'id',
  relations: {
    author: { table: USERS, on: { id: `${TASKS}.author_id` } },
    labels: { many: true, table: LABELS, on: { task_id: `${TASKS}.id` } },
  },
} as const satisfies KyselyQueryConfig;

type Tables = Record<string, { readonly id: number; readonly author_id: number | null }>;

/** Lists that are filtered and sorted through relations, beside SQL as one writes it by hand. */
export async function relations({ rounds }: Effort): Promise<Goal[]> {
  const db = await openPostgres<Tables>('relations');
  if (db === undefined) return [];
  await fill(db);
  const cases = [
    {
      what: 'filter by one related row',
      query: { filter: 'author.name:eq:user 777' },
      byHand: sql`select t.* from ${sql.table(TASKS)} t join ${sql.table(USERS)} u on u.id = t.author_id
        where u.name = ${'user 777'} order by t.id limit 20`,
    },
    {
      what: 'filter by several related rows',
      query: { filter: 'labels.name:eq:label 7' },
      byHand: sql`select t.* from ${sql.table(TASKS)} t where t.id in
        (select task_id from ${sql.table(LABELS)} where name = ${'label 7'}) order by t.id limit 20`,
    },
    {
      what: 'sort by one related row',
      query: { sort: 'author.name:asc' },
      byHand: sql`select t.* from ${sql.table(TASKS)} t left join ${sql.table(USERS)} u on u.id = t.author_id
        order by u.name asc nulls last, t.id limit 20`,
    },
  ];
  const rows: string[][] = [];
  const ratios: number[] = [];
  for (const { what, query, byHand } of cases) {
    const listed = () => {
      const { apply } = kyselyAdapter.build(parseQuery(query, CONFIG), CONFIG);
      return apply(db.selectFrom(TASKS).selectAll(TASKS));
    };
    const ours = () => listed().execute();
    const compiled = listed().compile();
    const ourSql = () => db.executeQuery(compiled);
    const theirs = async () => (await byHand.execute(db)).rows as { readonly id: number }[];
    const [one, other] = [await ours(), await theirs()];
    if (one.length !== 20 || one.some(({ id }, i) => id !== other[i]?.id)) {
      throw new Error(`The two ways do not give the same rows: ${what}`);
    }
    const taken = await inTurns([ours, ourSql, theirs], rounds * 5);
    const [, alone = Number.NaN, hand = Number.NaN] = taken;
    ratios.push(alone / hand);
    rows.push([what, ...taken.map((ms) => `${ms.toFixed(2)} ms`), (alone / hand).toFixed(2)]);
  }
  for (const name of [LABELS, TASKS, USERS]) await sql`drop table ${sql.table(name)}`.execute(db);
  await db.destroy();
  show(table([`20 of ${ROWS} rows`, '>@fledge/query', '>its SQL', '>by hand', '>ratio'], rows));
  return [
    atMost('Query: SQL of a filter by one related row over that by hand', 1.2, ratios[0] ?? NaN),
  ];
}

async function fill(db: Kysely<Tables>): Promise<void> {
  const [tasks, users, labels] = [sql.table(TASKS), sql.table(USERS), sql.table(LABELS)];
  for (const statement of [
    sql`drop table if exists ${labels}, ${tasks}, ${users}`,
    sql`create table ${users} (id integer primary key, name text not null)`,
    sql`insert into ${users} select i, 'user ' || i from generate_series(1, ${sql.lit(AUTHORS)}) as i`,
    sql`create table ${tasks} (id integer primary key, author_id integer references ${users}, title text not null)`,
    sql`insert into ${tasks} select i, nullif(i::bigint * 7919 % ${sql.lit(AUTHORS + 1)}, 0), 'task ' || i
      from generate_series(1, ${sql.lit(ROWS)}) as i`,
    sql`create table ${labels} (task_id integer not null references ${tasks}, name text not null)`,
    sql`insert into ${labels} select 1 + i::bigint * 104729 % ${sql.lit(ROWS)}, 'label ' || i % 500
      from generate_series(1, ${sql.lit(ROWS)}) as i`,
    sql`create index on ${users} (name)`,
    sql`create index on ${tasks} (author_id)`,
    sql`create index on ${labels} (task_id)`,
    sql`create index on ${labels} (name)`,
    sql`analyze ${users}, ${tasks}, ${labels}`,
  ]) {
    await statement.execute(db);
  }
}
