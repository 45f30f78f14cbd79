import type { Dialect } from './summary-tables.js';

/** Conditions as a client writes them, each with the SQL that a person would write. */
const CONDITIONS: readonly (readonly [filter: string, sql: string])[] = [
  ['status:eq:open', `t.status = 'open'`],
  ['status:in:open,done', `t.status in ('open', 'done')`],
  ['votes:gte:0', 't.votes >= 0'],
  ['amount:lt:5.5', 't.amount < 5.5'],
  ['owner.name:eq:Ann', `o.name = 'Ann'`],
  ['id:between:10,90', 't.id between 10 and 90'],
  ['label:neq:a', `t.label <> 'a'`],
  ['owner.team.name:isnull:true', 'm.name is null'],
];

const KEYS = {
  status: 't.status',
  label: 't.label',
  votes: 't.votes',
  'owner.name': 'o.name',
  'owner.team.name': 'm.name',
} as const;
const NUMBERS = { votes: 't.votes', amount: 't.amount', 'owner.score': 'o.score' } as const;
const PERIODS = ['day', 'week', 'month', 'year'] as const;
/** Only PostgreSQL certainly has time zones. */
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo', 'Asia/Kathmandu'];

/** A query, and its SQL of a row for each group: `keys`, `n` and `s`. */
export interface ByHand {
  readonly wire: Readonly<Record<string, string | readonly string[]>>;
  readonly keys: readonly string[];
  readonly number: keyof typeof NUMBERS;
  readonly sql: string;
}

/** @param named the tables */
export function queryByHand(
  dialect: Dialect,
  named: (table: 'tasks' | 'owners' | 'teams') => string,
  random: (below: number) => number,
): ByHand {
  const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const zone = dialect === 'postgres' ? one(ZONES) : 'UTC';
  const period = one(PERIODS);
  const field = one(Object.keys(KEYS) as (keyof typeof KEYS)[]);
  const keys = [
    { item: field, name: field, sql: KEYS[field] },
    ...(random(2) === 0
      ? [{ item: `created:${period}`, name: 'created', sql: periodSql(dialect, period, zone) }]
      : []),
  ];
  const number = one(Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]);
  const picked = [...new Set([one(CONDITIONS), one(CONDITIONS)])].slice(0, random(3));
  const selected = keys.map(({ sql }, i) => `${sql} as k${i}`).join(', ');
  const where = picked.map(([, sql]) => sql).join(' and ') || '1 = 1';
  return {
    wire: {
      filter: picked.map(([filter]) => filter),
      group: keys.map(({ item }) => item).join(','),
      aggregate: `sum:${number}`,
      timezone: zone,
    },
    keys: keys.map(({ name }) => name),
    number,
    sql: `select ${selected}, count(*) as n, sum(${NUMBERS[number]}) as s from ${named('tasks')} t
      left join ${named('owners')} o on o.id = t.owner_id
      left join ${named('teams')} m on m.id = o.team_id
      where ${where} group by ${keys.map((_, i) => i + 1).join(', ')}`,
  };
}

function periodSql(dialect: Dialect, period: (typeof PERIODS)[number], zone: string): string {
  const formats = {
    postgres: { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', year: 'YYYY' },
    mariadb: { day: '%Y-%m-%d', week: '%x-W%v', month: '%Y-%m', year: '%Y' },
    sqlite: { day: '%Y-%m-%d', week: '%G-W%V', month: '%Y-%m', year: '%Y' },
  }[dialect];
  const format = formats[period];
  if (dialect === 'postgres') return `to_char(t.created at time zone '${zone}', '${format}')`;
  if (dialect === 'mariadb') return `date_format(t.created, '${format}')`;
  return `strftime('${format}', t.created / 1000, 'unixepoch')`;
}
