import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { averageOfDecimals, roundedFloat, shortDecimal, sumOfDecimals } from './exact-number.js';

describe('sums and averages', () => {
  it('are exact', () => {
    expect(sumOfDecimals(['0.1', '0.2', '-0.30'])).toBe('0');
    expect(sumOfDecimals(['99999999999999999999.99', '0.01'])).toBe('100000000000000000000');
    expect(sumOfDecimals(['1e3', '0.5'])).toBe('1000.5');
    expect(sumOfDecimals(['1', 'NaN'])).toBeUndefined();
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })), (values) => {
        const sum = values.reduce((a, b) => a + b, 0n);
        expect(sumOfDecimals(values.map(String))).toBe(String(sum));
      }),
    );
  });

  it('have ten digits after the point, halves away from zero', () => {
    expect(averageOfDecimals('10', 4)).toBe('2.5');
    expect(averageOfDecimals('2', 3)).toBe('0.6666666667');
    expect(averageOfDecimals('-2', 3)).toBe('-0.6666666667');
    expect(averageOfDecimals('0.0000000001', 2)).toBe('0.0000000001');
    expect(averageOfDecimals('-0.0000000001', 2)).toBe('-0.0000000001');
    expect(averageOfDecimals('0.00000000004', 1)).toBe('0');
    expect(averageOfDecimals('-0.00000000004', 1)).toBe('0');
    expect(averageOfDecimals('NaN', 2)).toBe('NaN');
  });

  it('have 12 digits for floating-point numbers', () => {
    expect(roundedFloat(0.1 + 0.2)).toBe(0.3);
    expect(Object.is(roundedFloat(-0), 0)).toBe(true);
  });

  it('leave out zeros that say nothing', () => {
    expect(['9.50', '-0.0', '100', '1e-3', 'NaN'].map(shortDecimal)).toEqual([
      ...['9.5', '0', '100', '0.001', 'NaN'],
    ]);
  });
});
