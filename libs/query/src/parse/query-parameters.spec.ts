import { describe, expect, it } from '@jest/globals';
import { membersOf, readParameters } from './query-parameters.js';

const NOTHING = {
  filter: undefined,
  sort: undefined,
  page: undefined,
  limit: undefined,
  q: undefined,
};

describe('readParameters', () => {
  it('reads own keys with the five names only', () => {
    const query = Object.create({ filter: 'inherited' }) as Record<string, unknown>;
    Object.assign(query, { q: 'a', other: 'b', 'filter[': 'c', 'filters[]': 'd' });
    expect(readParameters(query)).toEqual({ ...NOTHING, q: 'a' });
    expect(readParameters(JSON.parse('{"__proto__":{"page":"3"}}'))).toEqual(NOTHING);
  });

  it.each([undefined, null, 'filter=a', 7, Symbol('a'), () => ({ filter: 'a' })])(
    'finds nothing in %p',
    (query) => {
      expect(readParameters(query)).toEqual(NOTHING);
    },
  );

  it('merges keys: plain, then [], then by index', () => {
    const query = {
      'filter[10]': 'e',
      'filter[2]': 'd',
      'filter[]': ['b', 'c'],
      filter: 'a',
      'sort[0]': 's',
    };
    expect(readParameters(query)).toEqual({
      ...NOTHING,
      filter: ['a', 'b', 'c', 'd', 'e'],
      sort: ['s'],
    });
  });

  it('gives undefined for a key that is not an index', () => {
    const query = { 'filter[a][eq]': '1', 'filter[01]': 'b', 'filter[0]': ['c', 'd'] };
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
