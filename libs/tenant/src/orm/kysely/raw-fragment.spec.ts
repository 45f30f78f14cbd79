import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { extendsChange, keepsRows, renderRaw } from './raw-fragment.js';

describe('keepsRows', () => {
  it.each([
    ['SelectQueryNode', ' for update'],
    ['SelectQueryNode', 'limit 1'],
    ['UpdateQueryNode', 'returning id'],
    ['InsertQueryNode', 'returning id'],
    ['InsertQueryNode', ''],
  ])('accepts %s with %s', (kind, text) => expect(keepsRows(kind, text)).toBe(true));

  it.each([
    ['SelectQueryNode', 'or 1 = 1'],
    ['SelectQueryNode', 'union select 1'],
    ['UpdateQueryNode', '? or 1 = 1'],
    ['InsertQueryNode', 'on conflict (id) do update set a = 1'],
    ['InsertQueryNode', 'limit 1 on conflict (id) do update set a = 1'],
  ])('rejects %s with %s', (kind, text) => expect(keepsRows(kind, text)).toBe(false));
});

describe('renderRaw', () => {
  it('joins nested raw SQL, and stands values for ?', () => {
    const nested = sql`a = ${1} or ${sql.join([sql`b`, sql.ref('c')], sql`), (`)}`;
    expect(renderRaw(nested.toOperationNode())).toBe('a = ? or b), (?');
  });

  it('marks statements that change rows', () => {
    const change = { kind: 'DeleteQueryNode' } as const;
    const marked = renderRaw(change);
    expect(extendsChange(`with x as (${marked}) select 1`)).toBe(false);
    expect(extendsChange(`explain ${marked} `)).toBe(false);
    expect(extendsChange(`${marked} or 1 = 1`)).toBe(true);
  });
});
