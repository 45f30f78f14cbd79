import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareValues } from './compare.js';

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

  it('orders the others as JavaScript does, dates by their time', () => {
    const timestamp = { name: 'a', type: 'timestamp' } as const;
    expect(compareValues(new Date(1), new Date(1), timestamp)).toBe(0);
    expect(compareValues(2n, 10n, { name: 'a', type: 'bigint' })).toBe(-1);
    expect(compareValues(true, false, { name: 'a', type: 'boolean' })).toBe(1);
  });
});
