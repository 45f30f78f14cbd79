import { describe, expect, it } from '@jest/globals';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import { decodedQuery, membersOf, readParameters } from './query-parameters.js';

describe('decodedQuery', () => {
  it.each([undefined, null])('finds nothing in %p', (query) => {
    expect(decodedQuery(query)).toEqual({});
  });

  it('reads objects without a prototype, and objects of a class', () => {
    const query = Object.assign(Object.create(null), { filter: 'a' }) as object;
    expect(decodedQuery(query)).toBe(query);
    class Dto {
      q = 'a';
    }
    expect(decodedQuery(new Dto())).toEqual({ q: 'a' });
  });

  it.each(['filter=a', '', 7, true, Symbol('a'), () => ({ filter: 'a' }), ['filter=a']])(
    'rejects %p with 400, because clients can send it as a body',
    (query) => {
      expect(() => decodedQuery(query)).toThrow(InvalidQueryError);
      expect(() => decodedQuery(query)).toThrow(
        'body malformed (expected: an object with the parameters of the list)',
      );
    },
  );

  it.each([
    new URLSearchParams('filter=status:eq:open'),
    new URL('http://localhost/?filter=status:eq:open'),
    new Map([['filter', 'status:eq:open']]),
  ])('throws for %p, whose filters would be ignored', (query) => {
    expect(() => decodedQuery(query)).toThrow(InvalidQueryConfigError);
    expect(() => decodedQuery(query)).toThrow(
      `The query is ${query.constructor.name}, but its parameters cannot be read as properties.`,
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
