import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeysetOptions } from '../../src/cursor/keyset-page.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import { ROWS, TASKS } from './dataset.js';

/** An adapter on an engine that holds the dataset, paged by cursors. */
export interface CursorEngine {
  /** Ids of the page in order, and the cursor of the next; none when the page is empty. */
  page(
    parsed: AnyParsedQuery,
    options: KeysetOptions,
  ): Promise<{ ids: readonly number[]; next: string | undefined }>;
  close(): Promise<void>;
}

const secret = 'of tests alone, and long enough';

/** Registers the tests of cursors on an engine: page by page, the list that rows in memory give at once. */
export function describeCursors(name: string, open: () => Promise<CursorEngine | undefined>): void {
  describe(`${name} pages by cursors`, () => {
    let engine: CursorEngine | undefined;
    beforeAll(async () => {
      engine = await open();
    }, 60_000);
    afterAll(() => engine?.close());

    it.each([
      [{ sort: [] }],
      [{ sort: ['note:asc', 'rating:desc'] }],
      [{ sort: ['note:desc', 'rating:asc'] }],
      [{ sort: ['done:desc', 'price:asc', 'uid:desc'] }],
      [{ sort: ['created:desc'] }],
      // Not by serial: some drivers read a bigint as a number, and then a row does not tell its own place.
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
  });
}
