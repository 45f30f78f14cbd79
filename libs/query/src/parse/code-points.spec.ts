import { describe, expect, it } from '@jest/globals';
import { firstCodePoints, isLongerThan } from './code-points.js';

describe('code points', () => {
  it('are not split', () => {
    expect(firstCodePoints('a😀b', 2)).toBe('a😀');
    expect(firstCodePoints('a😀b', 1)).toBe('a');
    expect(firstCodePoints('abc', 5)).toBe('abc');
    expect(firstCodePoints('😀😀', 2)).toBe('😀😀');
  });

  it('are what isLongerThan counts', () => {
    expect(isLongerThan('😀😀', 2)).toBe(false);
    expect(isLongerThan('😀😀a', 2)).toBe(true);
    expect(isLongerThan('ab', 2)).toBe(false);
  });
});
