import { describe, expect, it } from '@jest/globals';
import { parseQuery, type QueryFieldConfig } from '@fledge/query';

const DEFAULTS = {
  filters: [] as object[],
  sort: [] as object[],
  pagination: { page: 1, limit: 20, offset: 0 },
  search: '',
};
const OPEN: QueryFieldConfig | undefined = undefined;
const filterOf = (field: string, operator: string, value: string) => ({ field, operator, value });
const a1 = filterOf('a', 'eq', '1');
const b2 = filterOf('b', 'eq', '2');
const page = (number: number, limit = 20) => ({
  pagination: { page: number, limit, offset: (number - 1) * limit },
});

/** Queries, and what they give besides the defaults. */
const TABLE: [string, unknown, Partial<typeof DEFAULTS>, QueryFieldConfig?][] = [
  ['nothing', {}, {}],
  ['null', null, {}],
  ['undefined', undefined, {}],
  ['one filter', { filter: 'a:eq:1' }, { filters: [a1] }],
  ['filters as a list', { filter: ['a:eq:1', 'b:eq:2'] }, { filters: [a1, b2] }],
  ['as an object of indices', { filter: { 0: 'a:eq:1', 21: 'b:eq:2' } }, { filters: [a1, b2] }],
  ['under filter[]', { 'filter[]': ['a:eq:1', 'b:eq:2'] }, { filters: [a1, b2] }],
  ['under filter[N]', { 'filter[1]': 'b:eq:2', 'filter[0]': 'a:eq:1' }, { filters: [a1, b2] }],
  ['in all three places', { 'filter[0]': 'b:eq:2', filter: 'a:eq:1' }, { filters: [a1, b2] }],
  ['members that are no text', { filter: [7, null, 'a:eq:1', ['b:eq:2'], {}] }, { filters: [a1] }],
  ['an object of names', { filter: { a: 'b', b: { eq: '2' } } }, {}],
  ['a number, a function', { filter: 7, sort: () => 'a:asc' }, {}],
  ['a field alone', { filter: 'a' }, {}],
  ['no value', { filter: 'a:eq' }, {}],
  ['no field', { filter: ':eq:1' }, {}],
  ['an empty value', { filter: 'a:eq:' }, {}],
  [
    'colons in the value',
    { filter: 'at:eq:10:30:00' },
    { filters: [filterOf('at', 'eq', '10:30:00')] },
  ],
  ['blanks in the value', { filter: 'a:eq: 1 ' }, { filters: [filterOf('a', 'eq', ' 1 ')] }],
  ['blanks around the operator', { filter: ['a: eq:1', 'a:eq :1'] }, {}],
  ['blanks around the field', { filter: [' a:eq:1', 'a :eq:1'] }, {}, { filterable: ['a'] }],
  ['upper-case operators', { filter: 'a:EQ:1' }, {}],
  ['an operator there is not', { filter: 'a:like:1' }, {}],
  ['opt-in operators', { filter: ['a:nin:1', 'a:isnull:true'] }, {}],
  ['names of methods as operators', { filter: ['a:toString:1', 'a:__proto__:1'] }, {}],
  ['what was encoded twice', { filter: 'a:eq:a%3Ab' }, { filters: [filterOf('a', 'eq', 'a%3Ab')] }],
  ['U+0000', { filter: 'a:eq:\0' }, { filters: [filterOf('a', 'eq', '\0')] }],
  [
    'half a surrogate pair',
    { filter: 'a:eq:\ud800' },
    { filters: [filterOf('a', 'eq', '\ufffd')] },
  ],
  [
    'lists, as they are',
    { filter: 'a:in:1, 2\\,3' },
    { filters: [filterOf('a', 'in', '1, 2\\,3')] },
  ],
  ['a list of no items', { filter: 'a:in:,' }, { filters: [filterOf('a', 'in', ',')] }],
  ['one filter twice', { filter: ['a:eq:1', 'a:eq:1'] }, { filters: [a1, a1] }],
  ['unlisted fields', { filter: ['a:eq:1', 'b:eq:2'] }, { filters: [a1] }, { filterable: ['a'] }],
  [
    'no filterable list',
    { filter: 'a:eq:1', sort: 'a:asc' },
    { sort: [{ field: 'a', direction: 'asc' }] },
    { sortable: ['a'] },
  ],
  [
    'no sortable list',
    { filter: 'a:eq:1', sort: 'a:asc' },
    { filters: [a1] },
    { filterable: ['a'] },
  ],
  ['an empty config', { filter: 'a:eq:1', sort: 'a:asc' }, {}, {}],
  [
    'columns without sortable',
    { filter: 'a:eq:1', sort: 'a:asc' },
    { filters: [a1], sort: [{ field: 'a', direction: 'asc' }] },
    { columns: { a: 1 } },
  ],
  [
    'columns with sortable',
    { filter: 'a:eq:1', sort: ['a:asc', 'b:asc'] },
    { filters: [a1], sort: [{ field: 'b', direction: 'asc' }] },
    { columns: { a: 1 }, sortable: { b: 1 } },
  ],
  [
    'columns and methods',
    { filter: ['toString:eq:1', 'constructor:eq:1'], sort: 'valueOf:asc' },
    {},
    { columns: { a: 1 } },
  ],
  [
    'inherited names, unlisted',
    {
      filter: ['__proto__:eq:1', 'constructor:eq:1', 'prototype:eq:1'],
      sort: ['__proto__:asc', 'constructor:asc'],
    },
    {},
  ],
  [
    'inherited names, listed',
    { filter: ['__proto__:eq:1', 'constructor:eq:1'] },
    { filters: [filterOf('constructor', 'eq', '1')] },
    { filterable: ['__proto__', 'constructor'] },
  ],
  ['a sort without direction', { sort: 'name' }, {}],
  ['a sort of another direction', { sort: 'name:up' }, {}],
  [
    'upper-case directions',
    { sort: ['a:ASC', 'b:Desc'] },
    {
      sort: [
        { field: 'a', direction: 'asc' },
        { field: 'b', direction: 'desc' },
      ],
    },
  ],
  ['other dialects of sort', { sort: ['-name', 'a:asc,b:desc', ':asc', 'asc', ''] }, {}],
  [
    'sort fields with colons, listed',
    { sort: 'a:b:asc' },
    { sort: [{ field: 'a:b', direction: 'asc' }] },
    { sortable: ['a:b', 'a'] },
  ],
  [
    'one sort field twice',
    { sort: ['a:asc', 'b:asc', 'a:desc'] },
    {
      sort: [
        { field: 'a', direction: 'asc' },
        { field: 'b', direction: 'asc' },
      ],
    },
  ],
  [
    'sort as an object of indices',
    { sort: { 0: 'a:asc' } },
    { sort: [{ field: 'a', direction: 'asc' }] },
  ],
  ['a page', { page: '3' }, page(3)],
  ['a page with blanks and a plus', { page: ' +3 ' }, page(3)],
  ...[
    '',
    '0',
    '-1',
    'abc',
    'NaN',
    [],
    {},
    { y: '2' },
    '1.9',
    '1e3',
    '0x10',
    '2abc',
    'Infinity',
    '١',
    null,
    true,
    0,
    -1,
    1.9,
    NaN,
    Infinity,
    2 ** 60,
  ].map((value): [string, unknown, object] => [
    `T page ${JSON.stringify(value)} ${String(typeof value)}`,
    { page: value },
    {},
  ]),
  ['two pages', { page: ['2', '3'] }, page(2)],
  ['page[]', { 'page[]': '2' }, page(2)],
  ['a page and limit from code', { page: 2, limit: 5 }, page(2, 5)],
  ['a page past int32', { page: '99999999999999999999' }, page(107374183)],
  ['a page past all numbers', { page: '9'.repeat(400), limit: '1' }, page(2 ** 31, 1)],
  ...['', '0', '-5', 'abc', '1e9', '10.5', NaN, -1, {}].map((value): [string, unknown, object] => [
    `T limit ${JSON.stringify(value)}`,
    { limit: value },
    {},
  ]),
  ['a limit over the maximum', { limit: '500' }, page(1, 100)],
  ['a limit of many digits', { limit: '9'.repeat(400) }, page(1, 100)],
  ['the offset of a reduced limit', { limit: '500', page: '3' }, page(3, 100)],
  ['a search', { q: '  deploy script ' }, { search: 'deploy script' }],
  ['a search twice', { q: ['a', 'b'] }, { search: 'a' }],
  ['a search by name', { q: { a: '1' } }, {}],
  ['a search of another type', { q: 5 }, {}],
  ['a long search', { q: 'a'.repeat(500) }, { search: 'a'.repeat(200) }],
  ['a long search of pairs', { q: '😀'.repeat(201) }, { search: '😀'.repeat(200) }],
  ['a search cut at a pair', { q: `${'a'.repeat(199)}😀b` }, { search: `${'a'.repeat(199)}😀` }],
  ['a search cut at a blank', { q: `${'a'.repeat(198)}  b` }, { search: 'a'.repeat(198) }],
  ['a search of half pairs', { q: '\ud800a' }, { search: '\ufffda' }],
];

describe('parseQuery', () => {
  it.each(TABLE)('%s', (_, query, expected, config = OPEN) => {
    const parsed = parseQuery(query, config);
    expect(parsed).toStrictEqual({ ...DEFAULTS, ...expected });
    expect(Object.keys(parsed)).toEqual(['filters', 'sort', 'pagination', 'search']);
  });
});
