import { type ParsedQuery, parseQuery } from '@fledge/query';
import * as nest from '@fledge/query/nest';
import { Paginate, type Paginator, Qs, QueryModule, QueryPipe } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Query, ValidationPipe } from '@nestjs/common';
import { type Running, listen, servers } from './support/servers.js';

const TASKS = {
  filterable: ['status', 'priority', 'at'],
  sortable: ['createdAt', 'title'],
} as const;
const ROWS = Array.from({ length: 57 }, (_, id) => ({ id }));

@Controller()
class TasksController {
  @Get('qs')
  qs(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('pipe')
  pipe(@Query(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('open')
  open(@Qs() query: ParsedQuery) {
    return query;
  }

  @Get('small')
  small(@Qs(TASKS, { maxLimit: 5, limits: { maxSort: 1 } }) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('paginate/config')
  fetched(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate(async ({ filters, pagination: { offset, limit } }) => {
      await Promise.resolve();
      return { data: [...filters, ...ROWS.slice(offset, offset + limit)], total: BigInt(57) };
    });
  }

  @Get('paginate/beside')
  beside(@Qs(TASKS) query: ParsedQuery<typeof TASKS>, @Paginate() paginate: Paginator) {
    return { ...paginate({ data: query.filters, total: '57' }), parsed: paginate.parsed };
  }

  @Get('paginate/alone')
  alone(@Paginate() paginate: Paginator) {
    return paginate.parsed;
  }
}

const DEFAULTS = {
  filters: [],
  sort: [],
  pagination: { page: 1, limit: 20, offset: 0 },
  search: '',
};
const eq = (value: string) => ({ field: 'status', operator: 'eq', value });
const many = Array.from({ length: 25 }, (_, i) => `s${i}`);

/** Query strings, and the parsed query that each server must give. */
const shapes: readonly [query: string, meant: object][] = [
  ['', {}],
  ['filter=status:eq:a&filter=status:eq:b', { filters: [eq('a'), eq('b')] }],
  [many.map((text) => `filter=status:eq:${text}`).join('&'), { filters: many.map(eq) }],
  ['filter[]=status:eq:a&filter[]=status:eq:b', { filters: [eq('a'), eq('b')] }],
  ['filter[0]=status:eq:a&filter[1]=status:eq:b', { filters: [eq('a'), eq('b')] }],
  ['filter[1]=status:eq:b&filter[0]=status:eq:a', { filters: [eq('a'), eq('b')] }],
  [many.map((text, i) => `filter[${i}]=status:eq:${text}`).join('&'), { filters: many.map(eq) }],
  ['filter%5B%5D=status%3Aeq%3Aa', { filters: [eq('a')] }],
  ['filter[status][eq]=a', {}],
  ['filter=status:eq:a%20b+c', { filters: [eq('a b c')] }],
  ['filter=status:eq:%ZZ', { filters: [eq('%ZZ')] }],
  ['filter=status:eq:a%253A', { filters: [eq('a%3A')] }],
  ['filter=at:eq:10:30:00', { filters: [{ field: 'at', operator: 'eq', value: '10:30:00' }] }],
  ['filter=status:eq:100%25%20%E2%9C%93', { filters: [eq('100% ✓')] }],
  ['filter=secret:eq:x&filter=status:eq:&filter=status:like:x&filter=', {}],
  ['filter=__proto__:eq:1&__proto__=x&constructor=y&filter[__proto__]=status:eq:a', {}],
  ['filter', {}],
  [
    'sort=createdAt:DESC&sort=secret:asc&sort=title:asc',
    {
      sort: [
        { field: 'createdAt', direction: 'desc' },
        { field: 'title', direction: 'asc' },
      ],
    },
  ],
  ['sort[]=title:asc', { sort: [{ field: 'title', direction: 'asc' }] }],
  ['sort=title&sort=-title&sort[a]=title:asc', {}],
  ['page=3&limit=10', { pagination: { page: 3, limit: 10, offset: 20 } }],
  ['page=2&page=3', { pagination: { page: 2, limit: 20, offset: 20 } }],
  ['limit=500', { pagination: { page: 1, limit: 100, offset: 0 } }],
  ...['limit=-5', 'limit=0', 'limit=abc', 'limit=1e9', 'page=-1', 'page=1.5', 'page=', 'page'].map(
    (query): [string, object] => [query, {}],
  ),
  ['page[y]=2&limit[x]=1&q[x]=1', {}],
  ['q=%20deploy+script%20', { search: 'deploy script' }],
  ['q', {}],
  ['q=a&q=b', { search: 'a' }],
  [`q=${'x'.repeat(300)}`, { search: 'x'.repeat(200) }],
];

it('@fledge/query/nest exports these names and no others', () => {
  expect(Object.keys(nest).toSorted()).toEqual([
    'Cursors',
    'Paginate',
    'Paginated',
    'Qs',
    'QueryModule',
    'QueryPipe',
    'Summarized',
  ]);
});

describe.each(servers)('$name', (server) => {
  let bare: Running;
  let configured: Running;

  beforeAll(async () => {
    bare = await listen(server, { controllers: [TasksController] });
    configured = await listen(
      server,
      {
        imports: [
          QueryModule.forRootAsync({
            useFactory: async () => {
              await Promise.resolve();
              return { maxLimit: 50, defaultLimit: 7, maxSearchLength: 3, limits: { maxSort: 3 } };
            },
          }),
        ],
        controllers: [TasksController],
      },
      // A global ValidationPipe must not change the query.
      (app) => app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true })),
    );
  });
  afterAll(async () => {
    await bare.close();
    await configured.close();
  });

  it.each(shapes)('reads ?%s', async (query, meant) => {
    const expected = { status: 200, body: { ...DEFAULTS, ...meant }, link: null };
    expect(await bare.get(`/qs?${query}`)).toEqual(expected);
    expect(await bare.get(`/pipe?${query}`)).toEqual(expected);
  });

  it('accepts every well-formed field without a config', async () => {
    const { body } = await bare.get('/open?filter=any:eq:1&sort=other:asc');
    expect(body).toEqual(parseQuery({ filter: 'any:eq:1', sort: 'other:asc' }));
    expect(body).toMatchObject({ filters: [{ field: 'any' }], sort: [{ field: 'other' }] });
  });

  it('applies the options of the route over those of the module', async () => {
    const query = '?limit=80&q=abcdef&sort=title:asc&sort=createdAt:asc';
    expect((await configured.get(`/qs${query}`)).body).toMatchObject({
      pagination: { limit: 50 },
      search: 'abc',
      sort: [{}, {}],
    });
    expect((await configured.get('/qs')).body).toMatchObject({ pagination: { limit: 7 } });
    expect((await configured.get(`/small${query}`)).body).toMatchObject({
      pagination: { limit: 5 },
      search: 'abc',
      sort: [{ field: 'title' }],
    });
    expect((await bare.get(`/small${query}`)).body).toMatchObject({ search: 'abcdef' });
  });

  it('@Paginate(config) allows the fields of its config', async () => {
    const { body } = await bare.get(
      '/paginate/config?page=2&limit=2&filter=status:eq:a&filter=x:eq:1',
    );
    expect(body).toEqual({
      data: [eq('a'), { id: 2 }, { id: 3 }],
      meta: { page: 2, limit: 2, total: 57, totalPages: 29, hasNext: true, hasPrev: true },
    });
    expect((await configured.get('/paginate/config?limit=80')).body).toMatchObject({
      meta: { limit: 50 },
    });
  });

  it('@Paginate() allows the fields of @Qs() on the same handler', async () => {
    const { body } = await bare.get('/paginate/beside?page=9&limit=10&filter=status:eq:a');
    expect(body).toEqual({
      data: [eq('a')],
      meta: { page: 9, limit: 10, total: 57, totalPages: 6, hasNext: false, hasPrev: true },
      parsed: { ...DEFAULTS, filters: [eq('a')], pagination: { page: 9, limit: 10, offset: 80 } },
    });
  });

  it('@Paginate() alone reads page and limit only', async () => {
    const { body } = await bare.get('/paginate/alone?page=2&filter=status:eq:a&sort=title:asc');
    expect(body).toEqual({ ...DEFAULTS, pagination: { page: 2, limit: 20, offset: 20 } });
  });
});
