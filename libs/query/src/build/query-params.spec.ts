import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../parse/parse-query.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { filter } from './filter.js';
import { buildQueryParams, buildQueryString } from './query-params.js';

const byCursor = { cursors: true, onInvalid: 'throw' } as const;

describe('buildQueryParams', () => {
  it('omits empty sections', () => {
    expect(buildQueryParams({})).toEqual({});
    expect(buildQueryParams({ filters: [], sort: [], search: '' })).toEqual({});
    expect(
      buildQueryParams({
        filters: [{ field: 'at', operator: 'eq', value: '10:30:00' }],
        sort: [{ field: 'a:b', direction: 'desc' }],
        pagination: { page: 3, limit: 50, offset: 100 },
        search: 'a b',
      }),
    ).toEqual({ filter: ['at:eq:10:30:00'], sort: ['a:b:desc'], page: 3, limit: 50, q: 'a b' });
  });

  it('writes what summarizes a list, which is parsed as the same', () => {
    const config = {
      filterable: [],
      facetable: ['status', 'a,b'],
      groupable: ['at', 'status'],
      aggregatable: ['amount'],
    };
    const query = {
      facets: 'status,a\\,b',
      aggregate: 'count,sum:amount',
      group: 'at:month,status',
      timezone: 'Asia/Tokyo',
    };
    const { summary } = parseQuery(query, config);
    expect(buildQueryParams({ summary: summary ?? {} })).toEqual(query);
    expect(parseQuery(buildQueryParams({ summary: summary ?? {} }), config).summary).toEqual(
      summary,
    );
    expect(buildQueryString({ summary: { groups: [{ field: 'status' }] } })).toBe('group=status');
  });

  it('replaces lone surrogates', () => {
    const params = buildQueryParams({ filters: [filter.eq('a', '\ud800')], search: 'x\udc00' });
    expect(params).toEqual({ filter: ['a:eq:\ufffd'], q: 'x\ufffd' });
  });

  it.each([
    { filters: [filter.eq('a:b', 1)] },
    { filters: [filter.eq('', 1)] },
    { filters: [filter.eq('a', '')] },
    { sort: [{ field: '', direction: 'asc' as const }] },
  ])('refuses an item that would be parsed as another: %j', (parsed) => {
    expect(() => buildQueryParams(parsed)).toThrow(UnbuildableQueryError);
  });
});

describe('buildQueryString', () => {
  it('repeats plain keys and escapes all values', () => {
    const parsed = {
      filters: [filter.eq('a', '1&limit=9'), filter.in('tag', ['a,b', 'c'])],
      pagination: { page: 1, limit: 20, offset: 0 },
      search: 'c1&limit=100',
    };
    expect(buildQueryString(parsed)).toBe(
      'filter=a%3Aeq%3A1%26limit%3D9&filter=tag%3Ain%3Aa%5C%2Cb%2Cc&page=1&limit=20&q=c1%26limit%3D100',
    );
    expect(buildQueryString({})).toBe('');
  });

  it.each([
    ['filter', 'filters'],
    ['limit', 'pagination'],
    ['q', 'search'],
    ['group', 'summary'],
  ])('refuses the parameter name `%s` instead of `%s`', (name, property) => {
    const write = () => buildQueryString({ [name]: [] } as object);
    expect(write).toThrow(UnbuildableQueryError);
    expect(write).toThrow(
      `property \`${name}\` cannot be written as a query parameter. Use \`${property}\``,
    );
  });
});

describe('filter', () => {
  it('writes the value of each operator', () => {
    expect(filter.gte('at', new Date('2026-01-31T00:00:00Z')).value).toBe(
      '2026-01-31T00:00:00.000Z',
    );
    expect(filter.contains('a', 'x,y').value).toBe('x,y');
    expect(filter.between('a', 1n, 2)).toEqual({ field: 'a', operator: 'between', value: '1,2' });
    expect(filter.nin('a', [1, 2])).toEqual({ field: 'a', operator: 'nin', value: '1,2' });
    expect(filter.in('a', [])).toEqual({ field: 'a', operator: 'in', value: ',' });
    expect(filter.isnull('a', true)).toEqual({ field: 'a', operator: 'isnull', value: 'true' });
  });

  it.each<[string, () => unknown]>([
    ['with an empty item', () => filter.in('a', ['', 'b'])],
    ['with an empty item', () => filter.nin('a', [''])],
    ['with an empty item', () => filter.between('a', '', 'b')],
    ['with an invalid Date', () => filter.gte('a', new Date(NaN))],
    ['with an invalid Date', () => filter.in('a', [new Date(NaN)])],
    ['without a value', () => filter.eq('a', null as never)],
    ['without a value', () => filter.in('a', [undefined as never])],
  ])('refuses a filter %s', (fact, create) => {
    expect(create).toThrow(UnbuildableQueryError);
    expect(create).toThrow(`filter on "a" ${fact} cannot be written`);
  });

  it.each([
    { after: 'a', limit: '7' },
    { before: 'b', limit: '7' },
    { limit: '7' },
    { after: '\ud800', sort: 'a:asc' },
  ])('writes after instead of a page: %j', (query) => {
    const parsed = parseQuery(query, undefined, byCursor);
    const params = buildQueryParams(parsed);
    expect('page' in params).toBe(!('after' in query) && !('before' in query));
    expect(parseQuery(params, undefined, byCursor)).toEqual(parsed);
  });
});
