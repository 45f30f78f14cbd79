import { describe, expect, it } from '@jest/globals';
import { decodedQuery, membersOf, readParameters } from './query-parameters.js';

describe('decodedQuery', () => {
  it.each([undefined, null, 'filter=a', 7, Symbol('a'), () => ({ filter: 'a' }), ['filter=a']])(
    'finds nothing in %p',
    (query) => {
      expect(decodedQuery(query)).toEqual({});
    },
  );

  it('throws for URLSearchParams, whose filters would be ignored', () => {
    const query = new URLSearchParams('filter=status:eq:open');
    expect(() => decodedQuery(query)).toThrow(
      'The query is URLSearchParams, but its parameters cannot be read as properties. ' +
        "Pass querystring.parse(String(query)), with querystring from 'node:querystring'.",
    );
  });
});

describe('readParameters', () => {
  it('merges keys: plain, then [], then by index', () => {
    const query = {
      'filter[10]': 'e',
      'filter[2]': 'd',
      'filter[]': ['b', 'c'],
      filter: 'a',
      'sort[0]': 's',
    };
    expect(readParameters(query)).toMatchObject({
      filter: ['a', 'b', 'c', 'd', 'e'],
      sort: ['s'],
    });
  });

  it('gives undefined for a key that is not an index', () => {
    const query: Record<string, unknown> = {
      'filter[a][eq]': '1',
      'filter[01]': 'b',
      'filter[0]': ['c', 'd'],
    };
    expect(readParameters(query).filter).toEqual([['c', 'd'], undefined, undefined]);
  });
});

describe('membersOf', () => {
  it('lists the members of a repeatable parameter', () => {
    expect(membersOf(undefined)).toEqual([]);
    expect(membersOf('a')).toEqual(['a']);
    expect(membersOf(['a', 1])).toEqual(['a', 1]);
    expect(membersOf({ 1: 'b', 0: 'a' })).toEqual(['a', 'b']);
    expect(membersOf({ 0: 'a', eq: 'b' })).toEqual(['a', undefined]);
    expect(membersOf(null)).toEqual([null]);
  });
});
