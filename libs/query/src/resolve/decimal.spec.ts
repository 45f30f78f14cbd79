import { describe, expect, it } from '@jest/globals';
import { decimalTypeOf, plainDecimal } from './decimal.js';

describe('plainDecimal', () => {
  it.each([
    ['12.50', '12.50'],
    ['-0.5', '-0.5'],
    ['+7', '7'],
    ['1e+21', '1000000000000000000000'],
    ['-1.25e2', '-125'],
    ['1.5e-7', '0.00000015'],
    ['12.5e1', '125'],
    ['123.456e1', '1234.56'],
  ])('%s is %s', (text, plain) => {
    expect(plainDecimal(text)).toBe(plain);
  });

  it.each(['', 'NaN', '.5', '5.', '1e', '0x1', ' 1'])('%j is not a decimal', (text) => {
    expect(plainDecimal(text)).toBeUndefined();
  });
});

describe('decimalTypeOf', () => {
  it.each([
    ['12.50', 'decimal(3, 1)'],
    ['0', 'decimal(1, 0)'],
    ['-0.05', 'decimal(2, 2)'],
    ['9'.repeat(65), 'decimal(65, 0)'],
    [`${'9'.repeat(35)}.${'9'.repeat(30)}`, 'decimal(65, 30)'],
  ])('%s fits %s', (text, type) => {
    expect(decimalTypeOf(text)).toBe(type);
  });

  it.each(['9'.repeat(66), `0.${'9'.repeat(31)}`, 'NaN'])(
    '%s fits no decimal type of MySQL',
    (text) => {
      expect(decimalTypeOf(text)).toBeUndefined();
    },
  );
});
