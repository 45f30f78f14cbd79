import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import fc from 'fast-check';
import { type Server, servers } from './support/decoders.js';

const CONFIG = { filterable: ['status', 'priority'], sortable: ['a', 'b'] };
const defaults = {
  filters: [] as object[],
  sort: [] as object[],
  pagination: { page: 1, limit: 20, offset: 0 },
  search: '',
};
const status = (value: string) => ({ field: 'status', operator: 'eq', value });
const many = Array.from({ length: 25 }, (_, i) => `s${i}`);

const TABLE: [string, Partial<typeof defaults>][] = [
  ['', {}],
  ['filter=status:eq:a&filter=status:eq:b', { filters: [status('a'), status('b')] }],
  [many.map((value) => `filter=status:eq:${value}`).join('&'), { filters: many.map(status) }],
  [many.map((value) => `filter[]=status:eq:${value}`).join('&'), { filters: many.map(status) }],
  [
    many.map((value, i) => `filter%5B${i}%5D=status:eq:${value}`).join('&'),
    { filters: many.map(status) },
  ],
  [
    'filter[]=status:eq:a&filter[1]=priority:gte:3',
    { filters: [status('a'), { field: 'priority', operator: 'gte', value: '3' }] },
  ],
  ['filter[30]=status:eq:b&filter[7]=status:eq:a', { filters: [status('a'), status('b')] }],
  ['filter=status:eq:a&filter[x]=b', { filters: [status('a')] }],
  ['filter[x]=b&filter=status:eq:a', { filters: [status('a')] }],
  ['filter[0]=status:eq:a&filter[0]=status:eq:b&filter[1]=status:eq:c', { filters: [status('c')] }],
  [
    `${many.map((value) => `filter=status:eq:${value}`).join('&')}&filter[x]=1`,
    { filters: many.map(status) },
  ],
  ['filter[a]=b&q[x]=1&page[y]=2', {}],
  ['filter[status][eq]=1&sort[a]=asc', {}],
  ['filter[01]=status:eq:a&filter[-1]=status:eq:b', {}],
  [
    'sort[1]=b:asc&sort[0]=a:asc',
    {
      sort: [
        { field: 'a', direction: 'asc' },
        { field: 'b', direction: 'asc' },
      ],
    },
  ],
  ['page=2&page=3', { pagination: { page: 2, limit: 20, offset: 20 } }],
  ['page[]=2&limit[0]=5', { pagination: { page: 2, limit: 5, offset: 5 } }],
  [
    `${Array.from({ length: 30 }, () => 'page=2').join('&')}&page=3`,
    { pagination: { page: 2, limit: 20, offset: 20 } },
  ],
  ['page=+2', { pagination: { page: 2, limit: 20, offset: 20 } }],
  ['q', {}],
  ['q=', {}],
  ['q=a&q=b', { search: 'a' }],
  ['q=a&q[b]=c', { search: 'a' }],
  ['q=a+b%20c', { search: 'a b c' }],
  ['q=%ZZ', { search: '%ZZ' }],
  ['filter=status:eq:a%253A', { filters: [status('a%3A')] }],
  ['__proto__=x&__proto__[filter]=status:eq:a&constructor[prototype][page]=2', {}],
  ['filter[__proto__]=status:eq:a&hasOwnProperty=1&filter=status:eq:b', { filters: [status('b')] }],
];

const FORMS: ((name: string, index: number) => string)[] = [
  (name) => name,
  (name) => `${name}[]`,
  (name, index) => `${name}[${index}]`,
];
const form = fc.constantFrom(...FORMS);
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 8 })
  .map((any) => any.toWellFormed());
/** Items in one form, also more than 20, from which on qs decodes a list as an object. */
const list = fc.tuple(form, fc.array(text, { maxLength: 45 }));

describe.each(servers)('the query of $name', (server: Server) => {
  let decode: (text: string) => Promise<unknown>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ decode, close } = await server.open());
  });
  afterAll(() => close());

  it.each(TABLE)('%.60s', async (text, expected) => {
    expect(parseQuery(await decode(text), CONFIG)).toStrictEqual({ ...defaults, ...expected });
  });

  it('reads each form of a list alike', async () => {
    await fc.assert(
      fc.asyncProperty(list, list, form, text, async ([of, values], [by, sorts], once, q) => {
        const filter = values.map((value) => `status:eq:${value}`);
        const sort = sorts.map((field) => `${field}:desc`);
        const written = [
          ...filter.map((item, i) => [of('filter', i), item]),
          ...sort.map((item, i) => [by('sort', i), item]),
          [once('q', 0), q],
        ];
        const encoded = written.map((pair) =>
          pair.map((part) => encodeURIComponent(part)).join('='),
        );
        const query = encoded.join('&');
        fc.pre(query.length < 12_000);
        const options = { filterable: ['status'], sortable: sorts };
        expect(parseQuery(await decode(query), options)).toStrictEqual(
          parseQuery({ filter, sort, q }, options),
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each(['filter[a]=b', 'filter=status', 'page[y]=2', 'q[x]=1', 'sort[a]=asc'])(
    'is refused in strict mode for %s',
    async (text) => {
      const query = await decode(text);
      expect(() => parseQuery(query, CONFIG, { onInvalid: 'throw' })).toThrow(
        expect.objectContaining({ status: 400 }),
      );
    },
  );
});
