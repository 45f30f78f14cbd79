import { describe, expect, it } from '@jest/globals';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { type OrderEngine, orderKeys, orderSql } from './order-sql.js';

const due: ResolvedSort = {
  field: 'due',
  column: { name: 'due', type: 'integer' },
  direction: 'asc',
};
const status: ResolvedSort = {
  field: 'status',
  column: { name: 'status', type: 'enum', nullable: false },
  direction: 'desc',
};
const unknown: OrderEngine = { placesNulls: false, ordersByDefinition: () => false };

function sent(key: ResolvedSort, engine: Partial<OrderEngine>, reachesNulls = false): string {
  const writer = {
    engine: 'sqlite' as const,
    column: ({ name }: { readonly name: string }) => ({ name }),
    value: (value: unknown) => ({ name: `{${String(value)}}` }),
  };
  return orderKeys([key], writer, { ...unknown, ...engine }, reachesNulls)
    .map((each) => orderSql(each).map((part) => (typeof part === 'string' ? part : part.name)))
    .map((parts) => parts.join(''))
    .join(', ');
}

describe('orderKeys', () => {
  it('places NULLs by the means of the engine', () => {
    expect(sent(due, {})).toBe('due is null asc, due asc');
    expect(sent({ ...due, nulls: 'first' }, {})).toBe('due is null desc, due asc');
    expect(sent(due, { placesNulls: true })).toBe('due asc nulls last');
    expect(sent(due, { placesNulls: true }, true)).toBe('due is null asc, due asc');
  });

  it('says nothing about NULLs that come where they are wanted, or cannot be', () => {
    expect(sent(due, { nullRank: 'largest' })).toBe('due asc');
    expect(sent(due, { nullRank: 'smallest' })).toBe('due is null asc, due asc');
    expect(sent(status, {})).toBe('status desc');
  });

  it('orders an enum as text where the engine orders it by its definition', () => {
    const ordersByDefinition = ({ type }: { readonly type: string }) => type === 'enum';
    expect(sent(status, { ordersByDefinition })).toBe('coalesce(status, status) desc');
    expect(sent(due, { ordersByDefinition })).toBe('due is null asc, due asc');
  });
});
