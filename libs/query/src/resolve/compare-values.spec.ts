import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnType, ColumnValue } from './column.js';
import { compareValues } from './compare-values.js';

const decimal = { name: 'a', type: 'decimal' } as const;

describe('compareValues', () => {
  it('orders decimals exactly', () => {
    const cents = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const text = (value: bigint) => {
      const digits = `${value < 0n ? -value : value}`.padStart(3, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(compareValues(text(a), text(b), decimal)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it.each([
    ['-0.0', '0', 0],
    ['007', '7.000', 0],
    ['-2', '-10', 1],
    ['0.5', '0.45', 1],
  ])('%s against %s', (a, b, order) => {
    expect(compareValues(a, b, decimal)).toBe(order);
  });

  it('orders other values as JavaScript does, dates by time', () => {
    const timestamp = { name: 'a', type: 'timestamp' } as const;
    expect(compareValues(new Date(1), new Date(1), timestamp)).toBe(0);
    expect(compareValues(2n, 10n, { name: 'a', type: 'bigint' })).toBe(-1);
    expect(compareValues(true, false, { name: 'a', type: 'boolean' })).toBe(1);
  });

  it.each<[ColumnType, ColumnValue[]]>([
    ['string', ['', 'B', 'a', 'ab', 'b', '～', '😀', '😁']],
    ['number', [-Infinity, -1, 0, Infinity, NaN]],
    ['decimal', ['-Infinity', '-0.5', '1e3', '1001', 'Infinity', 'NaN']],
    [
      'date',
      ['-Infinity', '0044-03-15 BC', '0001-12-31 BC', '0001-01-01', '2026-01-31', '12345-01-01'],
    ],
    ['time', ['-01:00:00', '9:05', '09:05:00.001', '10:00', '24:00:00', '838:59:59']],
    ['timestamp', ['-Infinity', new Date(-1), new Date(0), 'Infinity']],
    ['uuid', ['0A', 'a0', 'B0']],
  ])('orders values of type %s', (type, values) => {
    const column = { name: 'a', type };
    const sorted = values.toReversed().toSorted((a, b) => compareValues(a, b, column));
    expect(sorted).toEqual(values);
  });

  it.each<[ColumnType, ColumnValue, ColumnValue]>([
    ['time', '9:05', '09:05:00.000'],
    ['uuid', 'A0', 'a0'],
    ['number', NaN, NaN],
    ['decimal', 'NaN', 'NaN'],
    ['decimal', '1e3', '1000.0'],
  ])('treats as equal, of type %s: %p and %p', (type, a, b) => {
    expect(compareValues(a, b, { name: 'a', type })).toBe(0);
  });
});
