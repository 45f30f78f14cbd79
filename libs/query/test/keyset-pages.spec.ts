import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { InvalidQueryConfigError, keysetPage, type ResolvedSort } from '@fledge/query';
import { rowComparator } from '../src/memory/memory.adapter.js';
import { conditionPredicate } from '../src/memory/predicate.js';

const SECRET = 'sixteen bytes at least';
const rank = { field: 'rank', column: { name: 'rank', type: 'integer' } } as const;
const name = { field: 'name', column: { name: 'name', type: 'string' } } as const;
const id = { field: 'id', column: { name: 'id', type: 'integer', nullable: false } } as const;

describe('paging by cursors', () => {
  it('visits every row once, for each order and with NULLs', () => {
    const row = fc.record({
      rank: fc.option(fc.integer({ min: 0, max: 3 })),
      name: fc.option(fc.constantFrom('', 'a', 'b')),
    });
    const direction = fc.constantFrom('asc' as const, 'desc' as const);
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 30 }),
        fc.tuple(direction, direction, direction),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('first' as const, 'last' as const),
        (drawn, [first, second, third], limit, nulls) => {
          const rows = drawn.map((values, i) => ({ ...values, id: i }));
          const sort: ResolvedSort[] = [
            { ...rank, direction: first, nulls },
            { ...name, direction: second, nulls },
            { ...id, direction: third },
          ];
          const ordered = rows.toSorted(rowComparator(sort));
          const visited: number[] = [];
          let after: string | undefined;
          for (let pages = 0; pages <= rows.length; pages++) {
            const { where, cursorOf } = keysetPage({ sort }, { secret: SECRET, after });
            const behind = where === undefined ? () => true : conditionPredicate(where);
            const page = ordered.filter(behind).slice(0, limit);
            visited.push(...page.map((found) => found.id));
            const last = page.at(-1);
            if (last === undefined) break;
            after = cursorOf(last);
          }
          expect(visited).toEqual(ordered.map((found) => found.id));
        },
      ),
    );
  });
});

it('refuses a row in which the field and the column are different properties', () => {
  const title = { field: 'title', column: { name: 'headline', type: 'string' } } as const;
  const { cursorOf } = keysetPage({ sort: [{ ...title, direction: 'asc' }] }, { secret: SECRET });
  expect(() => cursorOf({ title: 'a', headline: 'b' })).toThrow(InvalidQueryConfigError);
  expect(() => cursorOf({ title: 'a', headline: 'b' })).toThrow(
    'Field "title" is the column "headline", so the value of the cursor is unclear.',
  );
  const cursor = cursorOf({ title: 'a' });
  expect([cursorOf({ headline: 'a' }), cursorOf({ title: 'a', headline: 'a' })]).toEqual([
    cursor,
    cursor,
  ]);
});
