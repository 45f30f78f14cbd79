import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { joinList, splitList } from './list-value.js';

describe('splitList', () => {
  it.each<[string, string[]]>([
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    ['a b', ['a b']],
    ['a\\,b,c', ['a,b', 'c']],
    ['a\\\\,b', ['a\\', 'b']],
    ['\\ a\\ ,b', [' a ', 'b']],
    ['a\\  ,b', ['a ', 'b']],
    ['C:\\dir', ['C:\\dir']],
    ['a\\', ['a\\']],
    ['\ta\n', ['\ta\n']],
    [',', []],
    [',,a,,', ['a']],
    ['', []],
    ['   ', []],
    ['\\ ', [' ']],
  ])('%j is %j', (text, items) => {
    expect(splitList(text)).toEqual(items);
  });
});

describe('joinList', () => {
  it('escapes commas, backslashes and outer spaces', () => {
    expect(joinList(['a,b', 'c\\d', ' e ', 'f g'])).toBe('a\\,b,c\\\\d,\\ e\\ ,f g');
    expect(joinList([1, 2n, true])).toBe('1,2,true');
    expect(joinList(['', 'a', ''])).toBe('a');
  });

  it('is split by splitList into the same items', () => {
    const awkward = fc.string({ unit: fc.constantFrom('a', ' ', ',', '\\', '\t', 'é', '😀') });
    const item = fc.oneof(awkward, fc.string({ unit: 'binary' })).filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(item), (items) => {
        expect(splitList(joinList(items))).toEqual(items);
      }),
      { numRuns: 2000 },
    );
  });
});
