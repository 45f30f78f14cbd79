import { describe, expect, it } from '@jest/globals';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { keysetPage } from './keyset-page.js';
import { keysetCondition } from './keyset-condition.js';

const SECRET = 'sixteen bytes at least';
const rank: ResolvedSort = {
  field: 'rank',
  column: { name: 'rank', type: 'integer' },
  direction: 'desc',
};
const id: ResolvedSort = {
  field: 'id',
  column: { name: 'id', type: 'integer', nullable: false },
  direction: 'asc',
};

describe('keysetCondition', () => {
  it('is a tree of filters', () => {
    const { field, column } = rank;
    expect(keysetCondition([rank, id], [3, 7])).toEqual({
      kind: 'or',
      conditions: [
        {
          kind: 'or',
          conditions: [
            { kind: 'compare', operator: 'lt', field, column, value: 3 },
            { kind: 'null', field, column, isNull: true },
          ],
        },
        {
          kind: 'and',
          conditions: [
            { kind: 'compare', operator: 'eq', field, column, value: 3 },
            { kind: 'compare', operator: 'gt', field: 'id', column: id.column, value: 7 },
          ],
        },
      ],
    });
    expect(keysetCondition([id], [7])).toEqual({
      kind: 'compare',
      operator: 'gt',
      field: 'id',
      column: id.column,
      value: 7,
    });
  });

  it('bounds the first key if it is not nullable, so that an index can be used', () => {
    const { field } = rank;
    const column = { ...rank.column, nullable: false };
    expect(keysetCondition([{ ...rank, column }, id], [3, 7])).toMatchObject({
      kind: 'and',
      conditions: [{ kind: 'compare', operator: 'lte', field, column, value: 3 }, { kind: 'or' }],
    });
  });

  it.each([
    [false, 'asc', { kind: 'compare', operator: 'eq', value: true }],
    [true, 'desc', { kind: 'compare', operator: 'eq', value: false }],
  ] as const)('compares booleans by equality alone: behind %s %s', (value, direction, behind) => {
    const column = { name: 'done', type: 'boolean', nullable: false } as const;
    const condition = keysetCondition([{ field: 'done', column, direction }, id], [value, 7]);
    expect(condition).toMatchObject({ kind: 'or', conditions: [behind, { kind: 'and' }] });
    const last = keysetCondition([{ field: 'done', column, direction }, id], [!value, 7]);
    expect(last).toMatchObject({ kind: 'and', conditions: [{ value: !value }, { value: 7 }] });
  });

  it('matches nothing after a row whose keys are all NULL', () => {
    expect(keysetCondition([rank], [null])).toEqual({
      kind: 'and',
      conditions: [
        { kind: 'null', field: 'rank', column: rank.column, isNull: true },
        { kind: 'nothing', field: 'rank', column: rank.column },
      ],
    });
  });
});

describe('keysetPage', () => {
  it('reads a key by field, by column, or by read()', () => {
    const sort = [{ ...id, column: { ...id.column, name: 'task_id' } }];
    const cursor = (row: object) => keysetPage({ sort }, { secret: SECRET }).cursorOf(row);
    expect(cursor({ id: 7 })).toBe(cursor({ task_id: 7 }));
    const read = (row: object) => (row as { a: { b: number } }).a.b;
    const nested = keysetPage({ sort }, { secret: SECRET, read }).cursorOf({ a: { b: 7 } });
    expect(nested).toBe(cursor({ id: 7 }));
  });

  it('names a sort key whose values a cursor cannot hold', () => {
    const column = { name: 'ratio', type: 'number', hasCursors: false } as const;
    const sort = [{ field: 'ratio', column, direction: 'asc' }, id] as const;
    expect(() => keysetPage({ sort }, { secret: SECRET })).toThrow(
      'sort "ratio" not-expressible (expected: a sort key that cursors support)',
    );
  });

  it('requires an order', () => {
    expect(() => keysetPage({ sort: [] }, { secret: SECRET })).toThrow(
      'Set `primaryKey` in the config.',
    );
  });
});
