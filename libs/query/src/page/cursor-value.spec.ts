import { describe, expect, it } from '@jest/globals';
import type { ColumnType, ColumnValue, QueryColumn } from '../resolve/column.js';
import { cursorTextOf, cursorValueOf } from './cursor-value.js';

const of = (type: ColumnType, more: Partial<QueryColumn> = {}): QueryColumn => ({
  name: 'c',
  type,
  ...more,
});

/** A value from a driver, and the value that the next page compares with. */
const KEPT: [QueryColumn, unknown, ColumnValue][] = [
  [of('enum', { values: ['open'] }), 'gone', 'gone'],
  [of('integer'), 2 ** 40, 2 ** 40],
  [of('bigint'), '18446744073709551615', 18446744073709551615n],
  [of('number'), NaN, NaN],
  [of('number'), -Infinity, -Infinity],
  [of('decimal'), 'NaN', 'NaN'],
  [of('decimal'), 1e21, '1000000000000000000000'],
  [of('decimal'), '123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  [of('boolean'), 0, false],
  [of('date'), Infinity, 'Infinity'],
  [of('date'), '0044-03-15 BC', '0044-03-15 BC'],
  [of('date'), '12345-01-01', '12345-01-01'],
  [of('time'), '-01:00:00', '-01:00:00'],
  [of('time'), '838:59:59.000', '838:59:59.000'],
  [of('time'), '24:00:00', '24:00:00'],
  [of('time'), new Date('1970-01-01T09:05:00.250Z'), '09:05:00.250'],
  [of('timestamp'), -Infinity, '-Infinity'],
  [of('timestamp'), new Date('-000043-03-15T10:00:00Z'), new Date('-000043-03-15T10:00:00Z')],
  [of('timestamp'), new Date('+012345-01-01T00:00:00Z'), new Date('+012345-01-01T00:00:00Z')],
  [
    of('timestamp', { asText: true }),
    '2026-01-31 10:30:15.250123+00',
    '2026-01-31 10:30:15.250123+00',
  ],
  ...['15.250123Z', '15.25Z', '15Z'].map((seconds): [QueryColumn, unknown, ColumnValue] => {
    const text = `2026-01-31T10:30:${seconds}`;
    return [of('timestamp', { asText: true }), text, text];
  }),
  [of('timestamp', { asText: true }), new Date(7), new Date(7)],
  [of('uuid'), 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
];

describe('a cursor stores', () => {
  it.each(KEPT)('%j: %p', (column, given, value) => {
    const text = cursorTextOf(given, column) ?? 'none';
    expect(cursorValueOf(text, column)).toEqual(value);
  });

  it.each<[ColumnType, unknown]>([
    ['integer', 1.5],
    ['bigint', 2 ** 53],
    ['number', 'abc'],
    ['decimal', '1,5'],
    ['date', '2026-1-1'],
    ['time', '09:05:00+02'],
    ['timestamp', '2026-01-31 10:30:15'],
    ['timestamp', new Date(NaN)],
    ['uuid', 'zzz'],
    ['string', {}],
    ['string', undefined],
  ])('as %s it does not store %p', (type, given) => {
    expect(cursorTextOf(given, of(type))).toBeUndefined();
  });
});
