import type { DeclaredQueryConfig } from '../../src/resolve/declared-columns.js';

/** A row of the table every engine holds. */
export interface TaskRow {
  readonly id: number;
  readonly title: string;
  readonly note: string | null;
  readonly status: 'open' | 'done' | 'held';
  readonly priority: number;
  readonly rating: number | null;
  readonly price: string | null;
  readonly serial: bigint;
  readonly done: boolean | null;
  readonly due: string | null;
  readonly created: Date;
  readonly uid: string;
}

/** Its columns, as an adapter without metadata of its own is told them. Column and field have one name. */
export const TASKS = {
  columns: {
    id: { type: 'integer', nullable: false },
    title: { type: 'string', nullable: false },
    note: 'string',
    status: { type: 'enum', values: ['open', 'done', 'held'], nullable: false },
    priority: { type: 'integer', nullable: false },
    rating: 'number',
    price: 'decimal',
    serial: { type: 'bigint', nullable: false },
    done: 'boolean',
    due: 'date',
    created: { type: 'timestamp', nullable: false },
    uid: { type: 'uuid', nullable: false },
  },
  searchColumns: ['title', 'note'],
  primaryKey: 'id',
} as const satisfies DeclaredQueryConfig;

const TITLES = [
  '100% done',
  '100x done',
  'Ab_c\\',
  'abxc',
  "O'Brien",
  'say "hi"',
  'a!b!!c',
  'a,b\\c',
  '(a+)+$',
  '[x]{2}.*^|?',
  'tab\there',
  'line\nbreak',
  '$where: 1',
  ' padded ',
  'null',
  '0',
  '007',
  'é À 你好',
  'DROP TABLE tasks; --',
  'x',
];

/** Always the same rows: what looks random is arithmetic. */
export const ROWS: readonly TaskRow[] = Array.from({ length: 60 }, (_, i) => {
  const id = i + 1;
  return {
    id,
    title: i < TITLES.length ? (TITLES[i] as string) : `Task ${(i * 7) % 13} ${'abc'[i % 3]}`,
    note: i % 4 === 0 ? null : i % 9 === 0 ? '' : `note ${(i * 5) % 11}%_!`,
    status: (['open', 'done', 'held'] as const)[i % 3] as TaskRow['status'],
    priority: ((i * 11) % 7) - 3,
    rating: i % 5 === 0 ? null : ((i * 13) % 17) / 4,
    price: i % 6 === 0 ? null : (((i * 37) % 101) / 4).toFixed(2),
    serial: 9_007_199_254_740_993n + BigInt((i * 29) % 31),
    done: i % 7 === 0 ? null : i % 2 === 0,
    due: i % 8 === 0 ? null : `2026-0${(i % 9) + 1}-${String(((i * 3) % 27) + 1).padStart(2, '0')}`,
    created: new Date(
      Date.UTC(2026, 0, 1 + ((i * 17) % 50), i % 24, (i * 7) % 60, 30, (i * 111) % 1000),
    ),
    uid: `00000000-0000-4000-8000-${String((i * 7919) % 100_003).padStart(12, '0')}`,
  };
});

/** The day of a `date` column, of which pg makes a Date at midnight in the time zone of the process. */
export function localDayOf(date: Date): string {
  const local = date.getTime() - date.getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, 10);
}
