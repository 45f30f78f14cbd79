import { describe, expect, it } from '@jest/globals';
import { InvalidQueryConfigError } from '../query.errors.js';
import { allowListsOf } from './allow-lists.js';

const orderOf = (config: object) => allowListsOf(config).defaultOrder;

describe('defaultSort', () => {
  it('is one key or several, of sortable fields', () => {
    expect(orderOf({ sortable: ['a'], defaultSort: 'a:desc' })).toEqual([
      { field: 'a', direction: 'desc' },
    ]);
    expect(orderOf({ columns: { 'a:b': 1, c: 1 }, defaultSort: ['a:b:asc', 'c:desc'] })).toEqual([
      { field: 'a:b', direction: 'asc' },
      { field: 'c', direction: 'desc' },
    ]);
    expect(orderOf({ sortable: ['a'] })).toEqual([]);
    expect(orderOf({ sortable: ['a'], defaultSort: [] })).toEqual([]);
  });

  it.each([
    [{ sortable: ['a'], defaultSort: 'b:asc' }, 'contains "b", which is not sortable'],
    [{ columns: { a: 1 }, sortable: { b: 1 }, defaultSort: 'a:asc' }, '"a", which is not sortable'],
    [{ filterable: ['a'], defaultSort: ['a:asc'] }, 'contains "a", which is not sortable'],
    [{ columns: { a: 1 }, defaultSort: '__proto__:asc' }, 'which is not sortable'],
    [{ sortable: ['a'], defaultSort: ['a:asc', 'a:desc'] }, 'contains "a" twice'],
    [{ sortable: ['a'], defaultSort: 'a' }, 'contains "a", which does not have the form'],
    [{ sortable: ['a'], defaultSort: 'a:DESC' }, 'which does not have the form field:asc or'],
    [{ sortable: ['a'], defaultSort: [undefined] }, 'contains undefined, which does not have'],
    [{ sortable: ['a'], defaultSort: { a: 'asc' } }, 'which does not have the form field:asc or'],
  ])('%j is refused', (config, message) => {
    expect(() => orderOf(config)).toThrow(InvalidQueryConfigError);
    expect(() => orderOf(config)).toThrow(message);
  });
});
