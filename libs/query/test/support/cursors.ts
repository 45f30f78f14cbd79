import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeysetOptions } from '../../src/page/keyset-page.js';
import type { CursorResponse } from '../../src/page/cursor-page.js';
import { paginate } from '../../src/page/paginate.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import { ROWS, TASKS } from './dataset.js';
import { isInTier } from '../../../../test/support/engines.js';

/** The ids of a page in order, and the cursor of the next page; none if the page is empty. */
export interface CursorPage {
  readonly ids: readonly number[];
  readonly next: string | undefined;
  /** The response for rows fetched with `lookAhead`. */
  respond(parsed: AnyParsedQuery): CursorResponse<{ readonly id: number }>;
}

/** The page of the rows that an engine returned. */
export function pageOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  cursorOf: (row: Row) => string,
): CursorPage {
  const last = rows.at(-1);
  return {
    ids: rows.map(({ id }) => id),
    next: last && cursorOf(last),
    respond: (parsed) => paginate({ data: rows, cursorOf, parsed }),
  };
}

/** An adapter on an engine with the dataset, paged by cursors. */
export interface CursorEngine {
  page(parsed: AnyParsedQuery, options: KeysetOptions): Promise<CursorPage>;
  close(): Promise<void>;
}

const secret = 'of tests alone, and long enough';

/** Registers the tests of cursors on an engine: the pages together are the list that rows in memory give at once. */
export function describeCursors(name: string, open: () => Promise<CursorEngine | undefined>): void {
  if (!isInTier(name)) return;
  describe(`${name} pages by cursors`, () => {
    let engine: CursorEngine | undefined;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    it.each([
      [{ sort: [] }],
      [{ sort: ['note:asc', 'rating:desc'] }],
      [{ sort: ['note:desc', 'rating:asc'] }],
      [{ sort: ['done:desc', 'price:asc', 'uid:desc'] }],
      [{ sort: ['created:desc'] }],
      // Not by serial: some drivers round a bigint to a number, of which no cursor can be made.
      [{ sort: ['due:asc', 'uid:desc'] }],
      [{ sort: ['title:desc'], filter: ['priority:gte:-2'], q: 'note' }],
    ])('%j', async (wire) => {
      if (!engine) return;
      const parsed = parseQuery({ ...wire, limit: '7' }, TASKS);
      const { predicate, comparator } = memoryAdapter.build(parsed, TASKS);
      const expected = ROWS.filter(predicate).toSorted(comparator);
      const ids: number[] = [];
      let after: string | undefined;
      do {
        const page = await engine.page(parsed, { secret, after });
        ids.push(...page.ids);
        after = page.next;
      } while (after !== undefined && ids.length <= ROWS.length);
      expect(ids).toEqual(expected.map(({ id }) => id));
    });

    it.each([
      [{ sort: [] }],
      [{ sort: ['note:asc', 'rating:desc'] }],
      [{ sort: ['note:desc', 'rating:asc'], filter: ['priority:gte:-2'] }],
      [{ sort: ['done:desc', 'price:asc', 'uid:desc'], q: 'note' }],
    ])('%j, forwards and back to the start', async (wire) => {
      if (!engine) return;
      const visited: (readonly number[])[] = [];
      let place: { readonly after?: string; readonly before?: string } = {};
      const step = async (towards: 'after' | 'before') => {
        const query = { ...wire, ...place, limit: '7' };
        const parsed = parseQuery(query, TASKS, { cursors: true });
        const options = { secret, lookAhead: true, ...place };
        const { data, meta } = (await engine!.page(parsed, options)).respond(parsed);
        visited.push(data.map(({ id }) => id));
        expect([meta.hasNext, meta.hasPrev]).toEqual([
          meta.nextCursor !== null,
          meta.prevCursor !== null,
        ]);
        const cursor = towards === 'after' ? meta.nextCursor : meta.prevCursor;
        if (cursor !== null) place = { [towards]: cursor };
        return cursor !== null;
      };
      while (await step('after'));
      const forwards = visited.splice(0);
      while (await step('before'));
      // The last page was fetched again.
      expect(visited.reverse()).toEqual(forwards);
    });
  });
}
