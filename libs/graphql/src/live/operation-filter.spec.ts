import { describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@fledge/core';
import { type OperationFilter, predicateOf } from './operation-filter.js';

const one = (values: Record<string, unknown>, connection = 'socket 1') => ({
  connection,
  ctx: { get: (key: string) => values[key], req: {} } as unknown as RequestContext,
});
const matches = (filter: OperationFilter, values: Record<string, unknown>) =>
  predicateOf(filter, 'end')(one(values));

describe('predicateOf()', () => {
  it.each<[unknown, unknown, boolean]>([
    ['ann', 'ann', true],
    ['ann', 'bob', false],
    [{ id: 7, seen: 1 }, 7, true],
    [{ id: 7 }, '7', true],
    [{ sub: '7' }, 7, true],
    [{ id: 7, seen: 1 }, { id: 7, seen: 2 }, true],
    [{ id: 7 }, { id: 8 }, false],
    [{ name: 'ann' }, { name: 'ann' }, true],
    [{ name: 'ann' }, { name: 'bob' }, false],
    [undefined, 'undefined', false],
    [null, 'null', false],
    [{ id: undefined }, 'undefined', false],
    [{ id: {} }, '[object Object]', false],
  ])('compares users by value, id or sub: %j and %j', (user, meant, same) => {
    expect(matches({ user: meant }, { user })).toBe(same);
  });

  it('compares tenants by id', () => {
    for (const tenant of ['t1', { tenantId: 't1', id: 'x' }, { id: 't1' }]) {
      expect(matches({ tenant: 't1' }, { tenant })).toBe(true);
      expect(matches({ tenant: 't2' }, { tenant })).toBe(false);
    }
    expect(matches({ tenant: 't1' }, {})).toBe(false);
  });

  it('requires each field to match, and a context for user and tenant', () => {
    const both = predicateOf({ user: 'ann', connection: 'socket 1' }, 'end');
    expect(both(one({ user: 'ann' }))).toBe(true);
    expect(both(one({ user: 'ann' }, 'socket 2'))).toBe(false);
    expect(both({ connection: 'socket 1', ctx: undefined })).toBe(false);
  });
});
