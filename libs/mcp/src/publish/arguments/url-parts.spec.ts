import { parse } from 'node:querystring';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ArgumentError } from '../../mcp.errors.js';
import { pathSegment, pathSegments, queryStringOf } from './url-parts.js';

describe('pathSegment', () => {
  it.each([
    [123, '123'],
    ['a/b', 'a%2Fb'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['你好', '%E4%BD%A0%E5%A5%BD'],
    [false, 'false'],
  ])('writes %j as %s', (value, segment) => {
    expect(pathSegment('id', value)).toBe(segment);
  });

  it.each([
    ['', /must not be empty/],
    ['.', /must not be "\."/],
    ['..', /must not be "\.\."/],
    ['\ud800', /well-formed Unicode/],
    [{}, /must be a string/],
    [[1], /must be a string/],
    [null, /must be a string/],
  ])('refuses %j, naming the argument', (value, message) => {
    expect(() => pathSegment('id', value)).toThrow(ArgumentError);
    expect(() => pathSegment('id', value)).toThrow(/Argument "id"/);
    expect(() => pathSegment('id', value)).toThrow(message);
  });

  it('never lets a value out of its segment, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let segment: string;
        try {
          segment = pathSegment('id', value);
        } catch (error) {
          return error instanceof ArgumentError;
        }
        const url = new URL(`http://h/before/${segment}/after`);
        const [, before, middle, after, ...rest] = url.pathname.split('/');
        expect([before, decodeURIComponent(middle ?? ''), after, rest.length, url.search]).toEqual([
          'before',
          value,
          'after',
          0,
          '',
        ]);
        return true;
      }),
    );
  });
});

describe('pathSegments', () => {
  it('keeps the slashes of a wildcard', () => {
    expect(pathSegments('path', 'a/b c.txt')).toEqual(['a', 'b%20c.txt']);
  });

  it.each(['a/../x', './a', 'a//b', '/a', 'a/', ''])('refuses %j', (value) => {
    expect(() => pathSegments('path', value)).toThrow(ArgumentError);
  });
});

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
