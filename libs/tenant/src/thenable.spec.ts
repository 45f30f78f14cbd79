import { describe, expect, it } from '@jest/globals';
import { isThenable } from './thenable.js';

describe('isThenable', () => {
  it.each([
    ['a promise', Promise.resolve(), true],
    ['a promise of a library', { then: () => undefined }, true],
    ['a value', { then: 'later' }, false],
    ['null', null, false],
    ['undefined', undefined, false],
  ])('of %s', (_, value: unknown, expected) => {
    expect(isThenable(value)).toBe(expected);
  });
});
