import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import type { KeysetOptions } from '../../src/page/keyset-page.js';
import type { CursorPage } from './cursors.js';
import { ROW_COUNT } from './walk-tables.js';

/** An adapter on a table with one column per kind, to page through. */
export interface Walker {
  readonly name: string;
  /** The kinds to order by. */
  readonly kinds: readonly string[];
  /** The ids of a page by number. */
  list(parsed: AnyParsedQuery): Promise<readonly number[]>;
  /** The ids of a page by cursor, and the next cursor. */
  page(parsed: AnyParsedQuery, options: KeysetOptions): Promise<CursorPage>;
  /** The rows, if they are in memory. A test may add and remove some. */
  readonly kept?: WalkRow[];
  close(): Promise<void>;
}

/** A row of the table; kinds that are left out are NULL. */
export interface WalkRow {
  readonly id: number;
  readonly [kind: string]: unknown;
}

const PAGE = 7;
const secret = 'of tests alone, and long enough';

/**
 * Pages by cursor through each order of a walker and back, seven rows per page.
 * @returns the orders whose pages are not the whole list with each row once
 */
export async function wrongWalks(walker: Walker): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const kind of walker.kinds) {
    const other = walker.kinds.find((name) => name === 'flag') ?? kind;
    for (const sort of [[`${kind}:asc`], [`${other}:desc`, `${kind}:desc`]]) {
      try {
        const list = await walker.list(parseQuery({ sort, limit: '100' }));
        const { ids: walked, last } = await walkPages(walker, sort, 'after');
        const isWhole = list.length === ROW_COUNT && String(walked) === String(list);
        if (!isWhole) wrong.push({ sort, list: String(list), walked: String(walked) });
        const back = await walkPages(walker, sort, 'before', last);
        const before = String(list.slice(0, -1).toReversed());
        if (String(back.ids) !== before) wrong.push({ sort, before, back: String(back.ids) });
      } catch (error) {
        wrong.push({ sort, error: String(error) });
      }
    }
  }
  return wrong;
}

/** Fetches one page after the other, each from the last row of the one before. */
async function walkPages(
  walker: Walker,
  sort: readonly string[],
  direction: 'after' | 'before',
  from?: string,
): Promise<{ readonly ids: readonly number[]; readonly last: string | undefined }> {
  const ids: number[] = [];
  let last = from;
  for (;;) {
    const parsed = parseQuery({ sort, limit: String(PAGE) });
    const page = await walker.page(parsed, { secret, [direction]: last });
    ids.push(...page.ids);
    last = page.next ?? last;
    if (page.ids.length < PAGE || ids.length > 2 * ROW_COUNT) return { ids, last };
  }
}
