import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { columnValueOf, expectationOf } from './column-value.js';
import type { ColumnType, ColumnValue, QueryColumn } from './column.js';

const of = (type: ColumnType, more: Partial<QueryColumn> = {}): QueryColumn => ({
  name: 'c',
  type,
  ...more,
});

const TAKEN: [ColumnType, string, ColumnValue][] = [
  ['string', '007', '007'],
  ['string', ' a ', ' a '],
  ['integer', '007', 7],
  ['integer', '+7', 7],
  ['integer', '-2147483648', -2147483648],
  ['integer', '2147483647', 2147483647],
  ['integer', '-0', 0],
  ['bigint', '9223372036854775807', 9223372036854775807n],
  ['bigint', '-9223372036854775808', -9223372036854775808n],
  ['bigint', '+5', 5n],
  ['number', '1.5', 1.5],
  ['number', '-1e3', -1000],
  ['number', '-0.0', 0],
  ['decimal', '12.50', '12.50'],
  ['decimal', '+1', '1'],
  ['boolean', 'TRUE', true],
  ['boolean', '1', true],
  ['boolean', 'False', false],
  ['boolean', '0', false],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '0001-01-01', '0001-01-01'],
  ['time', '23:59', '23:59'],
  ['time', '13:05:59.250', '13:05:59.250'],
  ['timestamp', '2026-01-31', new Date('2026-01-31T00:00:00.000Z')],
  ['timestamp', '2026-01-31T10:30', new Date('2026-01-31T10:30:00.000Z')],
  ['timestamp', '2026-01-31T10:30:15.5+02:00', new Date('2026-01-31T08:30:15.500Z')],
  ['timestamp', '2026-01-31T10:30:15Z', new Date('2026-01-31T10:30:15.000Z')],
  ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['objectId', '507F1F77BCF86CD799439011', '507f1f77bcf86cd799439011'],
];

const REFUSED: [ColumnType, string[]][] = [
  ['string', ['\0', 'a\0b']],
  ['integer', ['', 'abc', '1.0', '1e3', '0x10', ' 7', '7 ', '2147483648', '-2147483649', '٣']],
  ['integer', ['99999999999999999999999', 'NaN', 'Infinity', '--1', '+']],
  ['bigint', ['9223372036854775808', '-9223372036854775809', '1n', '1.0', '']],
  ['number', ['1e999', 'NaN', 'Infinity', '.5', '5.', '0x1', '1,5', '']],
  ['decimal', ['1e3', '.5', '5.', 'abc', '']],
  ['boolean', ['maybe', 'yes', '2', '']],
  ['date', ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01']],
  ['date', ['2026-01-01T00:00:00Z', '1', '-002026-01-01', '']],
  ['time', ['24:00', '12:60', '12', '12:00:60', '1:00', '']],
  ['timestamp', ['1', '2026', '2026-02-30', '2026-02-30T00:00:00Z', '2026-01-01 10:00:00']],
  ['timestamp', ['2026-01-01T24:00:00Z', '2026-01-01T10:00:00.1234Z', '2026-01-01T10:00:00 02:00']],
  ['timestamp', ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-01:00', '2026-01-01Z', '']],
  ['uuid', ['zzz', 'a0eebc999c0b4ef8bb6d6bb9bd380a11', '']],
  ['objectId', ['507f1f77bcf86cd79943901', 'zzzzzzzzzzzzzzzzzzzzzzzz', '']],
];

describe('columnValueOf', () => {
  it.each(TAKEN)('%s accepts %j', (type, text, value) => {
    expect(columnValueOf(of(type), text)).toStrictEqual(value);
  });

  it.each(REFUSED)('%s refuses %j', (type, texts) => {
    for (const text of texts)
      expect([text, columnValueOf(of(type), text)]).toEqual([text, undefined]);
  });

  it('applies the bounds and values of the column', () => {
    const tiny = of('integer', { min: 0, max: 255 });
    expect([
      columnValueOf(tiny, '255'),
      columnValueOf(tiny, '256'),
      columnValueOf(tiny, '-1'),
    ]).toEqual([255, undefined, undefined]);
    const wide = of('integer', { max: Number.MAX_VALUE });
    expect(columnValueOf(wide, '9007199254740991')).toBe(9007199254740991);
    expect(columnValueOf(wide, '9007199254740993')).toBeUndefined();
    const status = of('enum', { values: ['open', 'done'] });
    expect([columnValueOf(status, 'open'), columnValueOf(status, 'OPEN')]).toEqual([
      'open',
      undefined,
    ]);
    expect(columnValueOf(of('enum'), 'toString')).toBeUndefined();
  });

  it('reads the timestamps that toISOString writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(-60e12), max: new Date(250e12), noInvalidDate: true }),
        (date) => {
          expect(columnValueOf(of('timestamp'), date.toISOString())).toEqual(date);
        },
      ),
    );
  });

  it('describes the accepted values', () => {
    expect(expectationOf(of('integer'))).toBe('integer from -2147483648 to 2147483647');
    expect(expectationOf(of('enum', { values: ['a', 'b'] }))).toBe('one of a, b');
  });
});
