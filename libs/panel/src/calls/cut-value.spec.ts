import { describe, expect, it } from '@jest/globals';
import { cutText, cutValue } from './cut-value.js';

describe('cutValue', () => {
  it('copies small values as they are', () => {
    const value = { a: [1, 'x', null, true], b: { c: undefined } };
    expect(cutValue(value)).toEqual(value);
    expect(cutValue(value)).not.toBe(value);
  });

  it('bounds text, members, items, depth and the number of values', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i++) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`n${i}`, i]));
    const many = Array.from({ length: 50 }, () =>
      Array.from({ length: 50 }, () => 'y'.repeat(9_000)),
    );
    for (const value of [deep, wide, many, 'z'.repeat(1_000_000), { ['k'.repeat(1_000_000)]: 1 }]) {
      expect(JSON.stringify(cutValue(value)).length).toBeLessThan(120_000);
    }
    expect(cutValue(wide)).toMatchObject({ n0: 0, '…': '1950 more' });
    expect(cutValue([...'x'.repeat(60)])).toHaveLength(51);
  });

  it('says how much of a text is missing', () => {
    expect(cutText('abcdef', 4)).toBe('abcd… 2 more characters');
    expect(cutText('abcd', 4)).toBe('abcd');
  });
});
