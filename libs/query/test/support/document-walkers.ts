import { aggregate } from 'mingo';
import mongoose from 'mongoose';
import type { NullOrder } from '../../src/config/null-order.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { mongooseAdapter, type MongooseQueryConfig } from '../../src/mongoose/index.js';
import type { DeclaredQueryConfig } from '../../src/resolve/declared-columns.js';
import { pageOf } from './cursors.js';
import type { Walker, WalkRow } from './walk.js';
import { ROW_COUNT } from './walk-tables.js';

/** Values as drivers return them. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  text: ['a', 'B', 'ä', '😀', '～', ''],
  whole: [3, -1, 0, 2 ** 31],
  ratio: [0.1, -2.5, 1e300],
  flag: [true, false],
  mood: ['open', 'done', 'held'],
  day: ['1800-01-01', '2026-03-09', '1905-12-31'],
  clock: ['9:05', '09:05:00.000', '10:00'],
  moment: [new Date(-5364662400000), new Date(1767225600123), new Date(0)],
  token: ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
};
/** With values that MongoDB does not store, or stores as text. */
const MORE: typeof VALUES = {
  ...VALUES,
  ratio: [0.1, -2.5, NaN, Infinity, -Infinity],
  big: [9007199254740993n, '9007199254740992', -5n],
  price: ['12345678901234567.8900000001', '12345678901234567.89', 'NaN', '1e40', -0.5],
  day: ['0044-03-15 BC', Infinity, '12345-01-01', new Date(1800, 0, 1), '2026-03-09'],
  moment: [new Date(-5364662400000), Infinity, -Infinity, new Date(-62e12 * 3), new Date(0)],
};
const COLUMNS = {
  id: { type: 'integer', nullable: false },
  text: 'string',
  whole: 'integer',
  ratio: 'number',
  flag: 'boolean',
  mood: { type: 'enum', values: ['open', 'done', 'held'] },
  day: 'date',
  clock: 'time',
  moment: 'timestamp',
  token: 'uuid',
  big: 'bigint',
  price: 'decimal',
} as const satisfies DeclaredQueryConfig['columns'];

function rowsOf(values: typeof VALUES): WalkRow[] {
  return Array.from({ length: ROW_COUNT }, (_, i) => ({
    id: i + 1,
    ...Object.fromEntries(
      Object.entries(values).map(([name, all], column) => [
        name,
        (i + column) % 6 === 0 ? null : all[(i * 7 + column) % all.length],
      ]),
    ),
  }));
}

/** Evaluates the conditions of cursors in memory. */
export function memoryWalker(nulls?: NullOrder): Promise<Walker> {
  const rows = rowsOf(MORE);
  const config = { columns: COLUMNS, primaryKey: 'id', nulls };
  return Promise.resolve({
    name: 'memory',
    kept: rows,
    kinds: Object.keys(MORE),
    list: (parsed) =>
      Promise.resolve(
        memoryAdapter
          .build(parsed, config)
          .apply(rows)
          .data.map(({ id }) => id),
      ),
    page(parsed, options) {
      const { apply, cursorOf } = memoryAdapter.buildKeyset(parsed, config, options);
      return Promise.resolve(pageOf(apply(rows), cursorOf));
    },
    close: () => Promise.resolve(),
  });
}

/** Evaluates pipelines with mingo, without a server. */
export function mongooseWalker(nulls?: NullOrder): Promise<Walker> {
  const schema = new mongoose.Schema({
    _id: mongoose.Schema.Types.Int32,
    id: { type: mongoose.Schema.Types.Int32, required: true },
    text: String,
    whole: Number,
    ratio: Number,
    flag: Boolean,
    mood: { type: String, enum: ['open', 'done', 'held'] },
    day: String,
    clock: String,
    moment: Date,
    token: String,
  });
  const adapter = mongooseAdapter(new mongoose.Mongoose().model('Walk', schema));
  const documents = rowsOf(VALUES).map((row) => ({ ...row, _id: row.id }));
  const names = Object.keys(VALUES).map((name) => [name, name]);
  const config: MongooseQueryConfig = {
    columns: {
      ...Object.fromEntries(names),
      day: { name: 'day', type: 'date' },
      clock: { name: 'clock', type: 'time' },
      token: { name: 'token', type: 'uuid' },
    },
    nulls,
  };
  return Promise.resolve({
    name: 'Mongoose',
    kept: documents,
    kinds: Object.keys(VALUES),
    list(parsed) {
      const { pipeline } = adapter.build(parsed, config);
      const rows = aggregate(documents, pipeline as never) as { id: number }[];
      return Promise.resolve(rows.map(({ id }) => id));
    },
    page(parsed, options) {
      const { pipeline, cursorOf } = adapter.buildKeyset(parsed, config, options);
      const rows = aggregate(documents, pipeline as never) as { id: number }[];
      return Promise.resolve(pageOf(rows, cursorOf));
    },
    close: () => Promise.resolve(),
  });
}
