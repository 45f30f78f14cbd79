import { expect } from '@jest/globals';
import fc from 'fast-check';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { Walker, WalkRow } from './walk.js';
import { ROW_COUNT } from './walk-tables.js';

/** Changes the list of a walker, from outside of its adapter. */
export interface Changes {
  insert(row: WalkRow): Promise<unknown>;
  remove(id: number): Promise<unknown>;
  /** Restores the rows of the start. */
  reset(): Promise<unknown>;
}

const KINDS = ['text', 'ratio', 'flag'] as const;
const secret = 'of tests alone, and long enough';

const key = fc.constantFrom(...KINDS.flatMap((kind) => [`${kind}:asc`, `${kind}:desc`]), 'id:desc');
const insertion = fc.record({
  isBefore: fc.boolean(),
  text: fc.constantFrom(null, 'a', 'B', ''),
  ratio: fc.constantFrom(null, 0.1, -2.5),
  flag: fc.constantFrom(null, true, false),
});
/** Of the rows there are, or the row that the cursor stands for. */
const removal = fc.oneof(fc.nat(), fc.constant('last' as const));
const walks = fc.record({
  sort: fc.array(key, { maxLength: 2 }),
  limit: fc.integer({ min: 2, max: 7 }),
  between: fc.array(
    fc.record({
      insertions: fc.array(insertion, { maxLength: 2 }),
      removals: fc.array(removal, { maxLength: 2 }),
    }),
    { maxLength: 8 },
  ),
});

/** Pages through a list while rows come and go, by cursors that look ahead, as a client does. */
export async function expectWholeWalks(walker: Walker, changes: Changes): Promise<void> {
  await fc.assert(
    fc.asyncProperty(walks, async ({ sort, limit, between }) => {
      await changes.reset();
      const rows = new Set(Array.from({ length: ROW_COUNT }, (_, i) => i + 1));
      const stayed = new Set(rows);
      const seen: number[] = [];
      let after: string | null | undefined;
      let inserted = 1000;
      for (let pages = 0; after !== null; pages++) {
        expect(pages).toBeLessThan(200);
        const parsed = parseQuery({ sort, limit: String(limit), after }, undefined, {
          cursors: true,
        });
        const options = { secret, after: parsed.after, lookAhead: true };
        const { data, meta } = (await walker.page(parsed, options)).respond(parsed);
        expect(data.length).toBeLessThanOrEqual(limit);
        if (meta.hasNext) expect(data).toHaveLength(limit);
        expect(meta.hasNext).toBe(meta.nextCursor !== null);
        seen.push(...data.map(({ id }) => id));
        after = meta.nextCursor;
        const { insertions = [], removals = [] } = between[pages] ?? {};
        for (const { isBefore, ...row } of insertions) {
          const id = isBefore ? -++inserted : ++inserted;
          await changes.insert({ id, ...row });
          rows.add(id);
        }
        for (const removed of removals) {
          const id = removed === 'last' ? seen.at(-1) : [...rows][removed % rows.size];
          if (id === undefined || !rows.delete(id)) continue;
          stayed.delete(id);
          await changes.remove(id);
        }
      }
      expect(seen.length).toBe(new Set(seen).size);
      expect([...stayed].filter((id) => !seen.includes(id))).toEqual([]);
    }),
    { numRuns: 6 },
  );
}

/** Changes a table by SQL. @param insert the statement that fills it */
export function sqlChanges(
  run: (sql: string) => Promise<unknown>,
  table: string,
  insert: string,
): Changes {
  return {
    insert: ({ id, text, ratio, flag }) => {
      const texts = typeof text === 'string' ? `'${text}'` : 'null';
      return run(
        `insert into ${table} (id, text, ratio, flag) values (${id}, ${texts}, ${String(ratio)}, ${String(flag)})`,
      );
    },
    remove: (id) => run(`delete from ${table} where id = ${id}`),
    async reset() {
      await run(`delete from ${table}`);
      await run(insert);
    },
  };
}

/** Changes rows in memory. */
export function keptChanges(rows: WalkRow[]): Changes {
  const start = [...rows];
  return {
    insert: (row) => Promise.resolve(rows.push({ ...row, _id: row.id })),
    remove: (id) =>
      Promise.resolve(
        rows.splice(
          rows.findIndex((row) => row.id === id),
          1,
        ),
      ),
    reset: () => Promise.resolve(rows.splice(0, rows.length, ...start)),
  };
}
