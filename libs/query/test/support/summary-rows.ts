import type { RelatedQueryConfig } from '../../src/resolve/declared-columns.js';

/** A row of the dataset of summaries. */
export interface SummaryRow {
  readonly id: number;
  readonly status: 'open' | 'done' | 'held' | null;
  readonly label: string | null;
  readonly votes: number | null;
  readonly amount: string | null;
  readonly hours: number | null;
  readonly serial: bigint;
  readonly done: boolean | null;
  readonly due: string | null;
  readonly created: Date | null;
  readonly uid: string;
  readonly owner_id: number | null;
}

export const TEAMS = [
  { id: 1, name: 'red' },
  { id: 2, name: 'Blue' },
  { id: 3, name: null },
] as const;
export const OWNERS = [
  { id: 1, name: 'Ann', score: 7, team_id: 1 },
  { id: 2, name: 'bob', score: null, team_id: 2 },
  { id: 3, name: null, score: -3, team_id: 3 },
  { id: 4, name: 'Ann', score: 7, team_id: null },
] as const;

/** Equal on each run: mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Instants around which clocks change, days begin twice, or begin at another time than midnight. */
const EDGES = [
  // Set back from 00:01 to 23:01 of the day before.
  ...['2006-10-29T02:30:00.000Z', '2006-10-29T02:30:30.000Z', '2006-10-29T02:31:00.000Z'],
  ...['2006-10-29T03:29:59.999Z', '2006-10-29T03:30:00.000Z', '2007-03-11T03:31:00.000Z'],
  // The end of months in Berlin and in Tokyo.
  ...['2006-10-31T22:59:59.999Z', '2006-10-31T23:00:00.000Z', '2006-12-31T15:00:00.000Z'],
  ...['2006-12-31T14:59:59.999Z', '2007-01-01T00:00:00.000Z', '2006-12-31T23:59:59.999Z'],
  // No midnight in São Paulo.
  ...['2006-11-05T02:59:59.999Z', '2006-11-05T03:00:00.000Z', '2007-02-25T01:59:59.999Z'],
];

const random = randomFrom(20_261_128);
const maybe = <T>(value: T, oneIn = 6): T | null => (random(oneIn) === 0 ? null : value);
const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;

export const SUMMARY_ROWS: readonly SummaryRow[] = Array.from({ length: 240 }, (_, i) => ({
  id: i + 1,
  status: maybe(one(['open', 'done', 'held'] as const), 9),
  label: maybe(one(['a', 'A', 'b%', 'c_d', '', "o'k", 'é', 'zz'])),
  votes: maybe(random(9) - 3),
  amount: maybe(((random(4_000) - 1_000) / 100).toFixed(2)),
  hours: maybe((random(400) - 100) / 8),
  serial: 9_007_199_254_740_993n + BigInt(random(5)),
  done: maybe(random(2) === 0),
  due: maybe(
    one(['2026-01-31', '2026-02-01', '2024-02-29', '2024-12-30', '2027-01-03', '2026-12-28']),
  ),
  created: maybe(
    new Date(
      i < EDGES.length ? (EDGES[i] as string) : Date.UTC(2006, 9, 20) + random(170 * 86_400) * 1000,
    ),
    20,
  ),
  uid: `00000000-0000-4000-8000-00000000000${random(3)}`,
  owner_id: maybe(random(4) + 1),
}));

/** The rows with their related rows. */
export const SUMMARY_TASKS = SUMMARY_ROWS.map((row) => {
  const owner = OWNERS.find(({ id }) => id === row.owner_id);
  const team = TEAMS.find(({ id }) => id === owner?.team_id) ?? null;
  return { ...row, owner: owner ? { ...owner, team } : null };
});

const FIELDS = ['status', 'label', 'votes', 'amount', 'serial', 'done', 'uid'] as const;
const RELATED = ['owner.name', 'owner.score', 'owner.team.name'] as const;

/** The lists of `facetable` and its like. */
export const SUMMARY_LISTS = {
  facetable: [...FIELDS, 'hours', ...RELATED],
  groupable: [...FIELDS, ...RELATED, 'created', 'due'],
  aggregatable: ['votes', 'amount', 'hours', 'serial', 'owner.score', 'created', 'due'],
} as const;

export const SUMMARY_CONFIG = {
  columns: {
    id: { type: 'integer', nullable: false },
    status: { type: 'enum', values: ['open', 'done', 'held'] },
    label: 'string',
    votes: 'integer',
    amount: 'decimal',
    hours: 'number',
    serial: { type: 'bigint', nullable: false },
    done: 'boolean',
    due: 'date',
    created: 'timestamp',
    uid: { type: 'uuid', nullable: false },
    'owner.name': 'string',
    'owner.score': 'integer',
    'owner.team.name': 'string',
  },
  searchColumns: ['label'],
  primaryKey: 'id',
  relations: { owner: {}, 'owner.team': {} },
  ...SUMMARY_LISTS,
} as const satisfies RelatedQueryConfig;
