import { randomBytes } from 'node:crypto';
import type { ColumnDeclaration } from '../../src/resolve/declared-columns.js';

/** A type of column on an engine, with hostile values as SQL. */
export interface Kind {
  readonly sql: string;
  readonly column: ColumnDeclaration;
  readonly values: readonly string[];
}

export type Kinds = Readonly<Record<string, Kind>>;

/** Rows of a table of kinds: enough for each value to occur twice, and for NULLs. */
export const ROW_COUNT = 20;

const MOOD = { type: 'enum', values: ['open', 'done', 'held'] } as const;
const texts = (...values: string[]) => values.map((value) => `'${value}'`);
const MOMENTS = [
  '1800-01-01 00:00:00.000',
  '1905-12-31 18:30:00.123',
  '2026-03-08 12:00:00.000',
  '0999-05-05 05:05:05.000',
];
const TEXTS = texts('a', 'B', 'ä', '😀', '～', '');
const FOLDED = texts('a', 'A', 'b', 'B', 'a_', 'Ab');
const UUIDS = [
  'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  'C0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  '10eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
];

export const POSTGRES_KINDS: Kinds = {
  text: { sql: 'text collate "C"', column: 'string', values: TEXTS },
  folded: { sql: 'text', column: 'string', values: FOLDED },
  whole: { sql: 'integer', column: 'integer', values: ['3', '-1', '0', '2147483647'] },
  big: { sql: 'bigint', column: 'bigint', values: ['9007199254740993', '9007199254740992', '-5'] },
  ratio: {
    sql: 'double precision',
    column: 'number',
    values: [...texts('NaN', 'Infinity', '-Infinity'), '0.1', '-2.5'],
  },
  single: { sql: 'real', column: 'number', values: ['0.1', '16777217', '1.2345678', "'NaN'"] },
  price: {
    sql: 'numeric',
    column: 'decimal',
    values: ['12345678901234567.8900000001', '12345678901234567.89', '1e40', '-0.5', "'NaN'"],
  },
  flag: { sql: 'boolean', column: 'boolean', values: ['true', 'false'] },
  mood: { sql: 'fledge_walk_mood', column: MOOD, values: texts('open', 'done', 'held') },
  day: {
    sql: 'date',
    column: 'date',
    values: texts('1800-01-01', '1905-12-31', '2026-03-09', '0001-01-01'),
  },
  farday: {
    sql: 'date',
    column: 'date',
    values: texts('0044-03-15 BC', 'infinity', '-infinity', '12345-01-01', '0001-12-31 BC'),
  },
  clock: { sql: 'time', column: 'time', values: texts('24:00', '9:05', '09:05:00.25', '00:00') },
  moment: {
    sql: 'timestamptz(3)',
    column: 'timestamp',
    values: texts(...MOMENTS.map((at) => `${at}+00`)),
  },
  naive: { sql: 'timestamp(3)', column: 'timestamp', values: texts(...MOMENTS) },
  recent: {
    sql: 'timestamptz(3)',
    column: 'timestamp',
    values: texts(
      '2026-11-01 05:30:00.001+00',
      '2026-11-01 06:30:00.001+00',
      '2026-03-08 07:00+00',
    ),
  },
  farmoment: {
    sql: 'timestamptz(3)',
    column: 'timestamp',
    values: texts('0044-03-15 10:00+00 BC', 'infinity', '-infinity', '12345-01-01+00'),
  },
  micro: {
    sql: 'timestamptz(6)',
    column: 'timestamp',
    values: texts(
      '2026-01-31 10:30:15.250123+00',
      '2026-01-31 10:30:15.250124+00',
      '0044-03-15 10:00+00 BC',
    ),
  },
  token: { sql: 'uuid', column: 'uuid', values: texts(...UUIDS) },
  texttoken: { sql: 'text collate "C"', column: 'uuid', values: texts(...UUIDS) },
  small: { sql: 'smallint', column: 'integer', values: ['3', '-1', '0', '32767'] },
};

export const MARIADB_KINDS: Kinds = {
  text: { sql: 'varchar(50) collate utf8mb4_nopad_bin', column: 'string', values: TEXTS },
  folded: { sql: 'varchar(50) collate utf8mb4_general_ci', column: 'string', values: FOLDED },
  whole: { sql: 'int', column: 'integer', values: ['3', '-1', '0', '2147483647'] },
  big: { sql: 'bigint', column: 'bigint', values: ['9007199254740991', '-5', '0'] },
  ratio: {
    sql: 'double',
    column: 'number',
    values: ['0.1', '1e300', '-2.5', '0.30000000000000004'],
  },
  price: {
    sql: 'decimal(65,20)',
    column: 'decimal',
    values: [
      '12345678901234567.89000000010000000001',
      '12345678901234567.89000000010000000002',
      '123456789012345678901234567890123456789012345.5',
      '-0.5',
    ],
  },
  flag: { sql: 'boolean', column: 'boolean', values: ['true', 'false'] },
  mood: {
    sql: `enum('open','done','held') collate utf8mb4_nopad_bin`,
    column: MOOD,
    values: texts('open', 'done', 'held'),
  },
  day: { sql: 'date', column: 'date', values: texts('1800-01-01', '1905-12-31', '2026-03-09') },
  clock: {
    sql: 'time(3)',
    column: 'time',
    values: texts('-01:00:00', '838:59:59', '09:05:00.25', '09:05'),
  },
  moment: { sql: 'datetime(3)', column: 'timestamp', values: texts(...MOMENTS.slice(0, 3)) },
  texttoken: { sql: 'char(36) collate utf8mb4_nopad_bin', column: 'uuid', values: texts(...UUIDS) },
};

export const SQLITE_KINDS: Kinds = {
  text: { sql: 'text', column: 'string', values: TEXTS },
  folded: { sql: 'text collate nocase', column: 'string', values: FOLDED },
  whole: { sql: 'integer', column: { type: 'integer' }, values: ['3', '-1', '0', '4294967296'] },
  big: { sql: 'integer', column: 'bigint', values: ['9007199254740991', '-5', '0'] },
  ratio: { sql: 'real', column: 'number', values: ['0.1', '9e999', '-9e999', '-2.5'] },
  price: { sql: 'numeric', column: 'decimal', values: ['0.1', '12.5', '-0.5', '1e21', '1e-7'] },
  flag: { sql: 'integer', column: 'boolean', values: ['1', '0'] },
  mood: { sql: 'text', column: MOOD, values: texts('open', 'done', 'held') },
  day: { sql: 'text', column: 'date', values: texts('1800-01-01', '1905-12-31', '2026-03-09') },
  clock: {
    sql: 'text',
    column: 'time',
    values: texts('09:05', '9:05', '09:05:00.000', '10:00:00'),
  },
  hour: { sql: 'text', column: 'time', values: texts('09:05:00', '09:05:00.25', '10:00:00') },
  moment: { sql: 'text', column: 'timestamp', values: texts(...MOMENTS) },
  epoch: { sql: 'integer', column: 'timestamp', values: ['-5364662400000', '1767225600123', '0'] },
  texttoken: { sql: 'text', column: 'uuid', values: texts(...UUIDS) },
  written: {
    sql: 'text',
    column: { type: 'timestamp', asText: true },
    values: texts(
      '2026-01-31T10:30:15.250123Z',
      '2026-01-31T10:30:15.250124Z',
      '2026-01-31T10:30:15.25Z',
      '2026-01-31T10:30:15Z',
    ),
  },
};

/** The SQL that creates a table of kinds. Values occur in several rows; every sixth is NULL. */
export function tableSql(name: string, kinds: Kinds): { create: string; insert: string } {
  const columns = Object.entries(kinds).map(([kind, { sql }]) => `${kind} ${sql}`);
  const row = (i: number) => {
    const cells = Object.values(kinds).map(({ values }, column) =>
      (i + column) % 6 === 0 ? 'null' : values[(i * 7 + column) % values.length],
    );
    return `(${[i + 1, ...cells].join(', ')})`;
  };
  const rows = Array.from({ length: ROW_COUNT }, (_, i) => row(i));
  return {
    create: `create table ${name} (id integer primary key, ${columns.join(', ')})`,
    insert: `insert into ${name} values ${rows.join(', ')}`,
  };
}

/** A config for adapters with declared columns. */
export function declaredOf(kinds: Kinds, names = Object.keys(kinds)) {
  const columns = names.map((kind) => [kind, (kinds[kind] as Kind).column]);
  return {
    columns: { id: { type: 'integer', nullable: false }, ...Object.fromEntries(columns) } as Record<
      string,
      ColumnDeclaration
    >,
    primaryKey: 'id',
  };
}

export function uniqueName(): string {
  return `fledge_walk_${randomBytes(6).toString('hex')}`;
}
