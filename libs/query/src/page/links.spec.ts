import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../parse/parse-query.js';
import { linkHeader, pageLinks, rawLinkHeader } from './links.js';
import { paginate } from './paginate.js';
import type { PartialTotal, Total } from './paginated-response.js';

function linksOf(url: string, total: Total | PartialTotal = 57, rows = 0) {
  const parsed = parseQuery(Object.fromEntries(new URL(url, 'http://a').searchParams));
  const data = Array.from({ length: rows });
  return pageLinks(url, parsed, paginate({ data, total, parsed }).meta);
}

describe('pageLinks', () => {
  it('keeps the query and every other parameter', () => {
    const q = encodeURIComponent('c1&limit=100');
    expect(linksOf(`/tasks?tenant=a%26b&page=2&limit=10&q=${q}`)).toEqual({
      first: '/tasks?tenant=a%26b&page=1&limit=10&q=c1%26limit%3D100',
      prev: '/tasks?tenant=a%26b&page=1&limit=10&q=c1%26limit%3D100',
      next: '/tasks?tenant=a%26b&page=3&limit=10&q=c1%26limit%3D100',
      last: '/tasks?tenant=a%26b&page=6&limit=10&q=c1%26limit%3D100',
    });
  });

  it('writes its own parameters once, in each form', () => {
    const url = '/tasks?filter%5B%5D=a:eq:1&filter%5B0%5D=b:eq:1&sort=a:asc&filterable=1';
    const parsed = parseQuery({ 'filter[]': 'a:eq:1', 'filter[0]': 'b:eq:1', sort: 'a:asc' });
    const meta = { page: 1, limit: 20, hasNext: false, hasPrev: false };
    expect(pageLinks(url, parsed, meta).first).toBe(
      '/tasks?filterable=1&filter=a%3Aeq%3A1&filter=b%3Aeq%3A1&sort=a%3Aasc&page=1&limit=20',
    );
  });

  it('writes where once, and keeps it if the option is off', () => {
    const url = '/tasks?where%5B%5D=or(a:eq:1,b:eq:2)&where=c:eq:3';
    const query = { 'where[]': 'or(a:eq:1,b:eq:2)', where: 'c:eq:3' };
    const meta = { page: 1, limit: 20, hasNext: false, hasPrev: false };
    const whereIn = (link: string) => new URL(link, 'http://a').searchParams;
    const on = pageLinks(url, parseQuery(query, undefined, { where: true }), meta).first;
    expect(whereIn(on).getAll('where')).toEqual(['c:eq:3', 'or(a:eq:1,b:eq:2)']);
    expect(whereIn(on).has('where[]')).toBe(false);
    const off = pageLinks(url, parseQuery(query), meta).first;
    expect(whereIn(off).getAll('where')).toEqual(['c:eq:3']);
    expect(whereIn(off).getAll('where[]')).toEqual(['or(a:eq:1,b:eq:2)']);
  });

  it('writes the parameters of summaries once', () => {
    const config = { filterable: [], facetable: ['status'], groupable: ['status', 'at'] };
    const query = { facets: 'status', group: 'at:day', timezone: 'Asia/Tokyo' };
    const parsed = parseQuery(query, config);
    const meta = { page: 1, limit: 20, hasNext: false, hasPrev: false };
    // The config has no `aggregatable`, so `aggregate` belongs to the application.
    const url = '/tasks?facets=status&group%5B%5D=at:day&timezone=Asia/Tokyo&aggregate=own';
    const { first } = pageLinks(url, parsed, meta);
    expect([...new URL(first, 'http://a').searchParams].toSorted()).toEqual([
      ['aggregate', 'own'],
      ['facets', 'status'],
      ['group', 'at:day'],
      ['limit', '20'],
      ['page', '1'],
      ['timezone', 'Asia/Tokyo'],
    ]);
  });

  it('links back from a page past the end', () => {
    expect(linksOf('/tasks?page=9&limit=10').prev).toBe('/tasks?page=6&limit=10');
    expect(linksOf('/tasks?page=9&limit=10', 0)).toEqual({
      first: '/tasks?page=1&limit=10',
      prev: '/tasks?page=1&limit=10',
    });
  });

  it('has no last page without a full count', () => {
    for (const total of [
      { kind: 'none' },
      { kind: 'capped', cap: 5, counted: 6 },
      { kind: 'estimated', total: 9 },
    ] as const) {
      expect(Object.keys(linksOf('/tasks', total, 21))).toEqual(['first', 'next']);
    }
    expect(linksOf('/tasks', { kind: 'capped', cap: 50, counted: 30 }, 21).last).toBe(
      '/tasks?page=2&limit=20',
    );
  });

  it.each([
    ['//evil.example/tasks', '/tasks'],
    ['//evil.example//evil.example', '/evil.example'],
    ['http://evil.example/tasks', '/tasks'],
    ['/\\evil.example/tasks', '/tasks'],
    ['///', '/'],
    ['http://[', '/'],
    ['/a>b"c', '/a%3Eb%22c'],
    ['/a\r\nb', '/ab'],
  ])('drops the host of %j', (url, path) => {
    const { first } = pageLinks(url, parseQuery({}), {
      page: 1,
      limit: 20,
      hasNext: false,
      hasPrev: false,
    });
    expect(first).toBe(`${path}?page=1&limit=20`);
  });
});

describe('linkHeader', () => {
  it('writes a Link header of RFC 8288', () => {
    const parsed = parseQuery({ page: '2', limit: '10' });
    const { meta } = paginate({ data: [], total: 57, parsed });
    expect(linkHeader('/tasks', parsed, meta)).toBe(
      '</tasks?page=1&limit=10>; rel="first", </tasks?page=1&limit=10>; rel="prev", ' +
        '</tasks?page=3&limit=10>; rel="next", </tasks?page=6&limit=10>; rel="last"',
    );
  });
});

describe('rawLinkHeader', () => {
  it('leads from page 1 to a cursor that a strict route accepts', () => {
    const meta = { limit: 2, hasNext: true, hasPrev: false, nextCursor: 'c.d', prevCursor: null };
    const header = rawLinkHeader('/tasks?page=1&limit=2&x=1&filter=a:eq:1', meta);
    expect(header).toBe(
      '</tasks?x=1&filter=a%3Aeq%3A1&limit=2>; rel="first", ' +
        '</tasks?x=1&filter=a%3Aeq%3A1&after=c.d&limit=2>; rel="next"',
    );
    const next = new URL(/<([^>]*)>; rel="next"/.exec(header)?.[1] ?? '', 'http://a');
    const strict = { cursors: true, onInvalid: 'throw' } as const;
    expect(parseQuery(Object.fromEntries(next.searchParams), undefined, strict).after).toBe('c.d');
  });
});
