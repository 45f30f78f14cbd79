import { expect, it } from '@jest/globals';
import { buildQueryParams, buildQueryString, parseQuery } from '@fledge/query';

it('a query string is parsed and written back', () => {
  const text =
    'filter=status:eq:active&filter=priority:gte:3&filter=secret:eq:x&filter=at:eq:10:30:00' +
    '&sort=createdAt:DESC&sort=secret:asc&page=3&limit=50&q=%20deploy+script%20';
  const search = new URLSearchParams(text);
  const query = {
    ...Object.fromEntries(search),
    filter: search.getAll('filter'),
    sort: search.getAll('sort'),
  };
  const config = { filterable: ['status', 'priority', 'at'], sortable: ['createdAt'] };
  const parsed = parseQuery(query, config);
  expect(parsed).toStrictEqual({
    filters: [
      { field: 'status', operator: 'eq', value: 'active' },
      { field: 'priority', operator: 'gte', value: '3' },
      { field: 'at', operator: 'eq', value: '10:30:00' },
    ],
    sort: [{ field: 'createdAt', direction: 'desc' }],
    pagination: { page: 3, limit: 50, offset: 100 },
    search: 'deploy script',
  });
  expect(buildQueryParams(parsed)).toStrictEqual({
    filter: ['status:eq:active', 'priority:gte:3', 'at:eq:10:30:00'],
    sort: ['createdAt:desc'],
    page: 3,
    limit: 50,
    q: 'deploy script',
  });
  expect(buildQueryString(parsed)).toBe(
    'filter=status%3Aeq%3Aactive&filter=priority%3Agte%3A3&filter=at%3Aeq%3A10%3A30%3A00' +
      '&sort=createdAt%3Adesc&page=3&limit=50&q=deploy+script',
  );
});
