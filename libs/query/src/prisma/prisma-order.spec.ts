import { describe, expect, it } from '@jest/globals';
import type { QueryColumn } from '../resolve/column.js';
import { cursorKeyOf } from './prisma-order.js';

const hasCursors = (column: Omit<QueryColumn, 'name'>, version?: string) => {
  const key = { field: 'a', column: { name: 'a', ...column }, direction: 'asc' } as const;
  return cursorKeyOf(key, version).column.hasCursors ?? true;
};

describe('cursorKeyOf', () => {
  it.each(['6.0.0', '6.19.3', '7.0.0', '7.3.0'])('rejects numbers of Prisma %s', (version) => {
    expect(hasCursors({ type: 'number' }, version)).toBe(false);
    expect(hasCursors({ type: 'number', hasCursors: true }, version)).toBe(true);
    expect(hasCursors({ type: 'integer' }, version)).toBe(true);
    expect(hasCursors({ type: 'decimal' }, version)).toBe(true);
  });

  it.each(['7.4.0', '7.10.0', '8.0.0', '60.0.0', undefined])('accepts them: %s', (version) => {
    expect(hasCursors({ type: 'number' }, version)).toBe(true);
    expect(hasCursors({ type: 'number', hasCursors: false }, version)).toBe(false);
  });
});
