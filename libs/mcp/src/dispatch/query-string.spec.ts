import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'node:querystring';
import { ArgumentError } from './path-segment.js';
import { queryStringOf } from './query-string.js';

describe('queryStringOf', () => {
  it.each<[string, [string, unknown][], string]>([
    [
      'zero and false',
      [
        ['skip', 0],
        ['done', false],
      ],
      'skip=0&done=false',
    ],
    ['an array', [['tags', ['red', 'blue']]], 'tags=red&tags=blue'],
    [
      'an empty array',
      [
        ['tags', []],
        ['q', 'x'],
      ],
      'q=x',
    ],
    [
      'null and undefined',
      [
        ['a', null],
        ['b', undefined],
      ],
      '',
    ],
    ['an empty text', [['q', '']], 'q='],
    ['colons', [['filter', ['name:eq:a:b']]], 'filter=name%3Aeq%3Aa%3Ab'],
    ['separators', [['q', 'a&b=c#d+e f']], 'q=a%26b%3Dc%23d%2Be%20f'],
    [
      'an object',
      [['filter', { eq: 'foo/bar', 'display name': 'a & b' }]],
      'filter%5Beq%5D=foo%2Fbar&filter%5Bdisplay%20name%5D=a%20%26%20b',
    ],
    ['another alphabet', [['q', '你好']], 'q=%E4%BD%A0%E5%A5%BD'],
  ])('writes %s', (_, entries, query) => {
    expect(queryStringOf(entries)).toBe(query);
  });

  it('refuses a lone surrogate and an object nested without end', () => {
    const deep: Record<string, unknown> = {};
    deep['self'] = deep;
    expect(() => queryStringOf([['q', '\udc00']])).toThrow(ArgumentError);
    expect(() => queryStringOf([['q', deep]])).toThrow(ArgumentError);
  });

  it('gives the server back what the caller said', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }),
        (entries) => {
          const parsed = parse(queryStringOf(entries), '&', '=', { maxKeys: 0 });
          const expected = entries.filter(([name, value]) => name !== '' || value !== '');
          for (const [name, value] of expected) expect(parsed[name]).toBe(value);
        },
      ),
    );
  });
});
