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
 * Pages by cursor through each order of a walker, seven rows per page.
 * @returns the orders whose pages are not the whole list with each row once
 */
export async function wrongWalks(walker: Walker): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const kind of walker.kinds) {
    const other = walker.kinds.find((name) => name === 'flag') ?? kind;
    for (const sort of [[`${kind}:asc`], [`${other}:desc`, `${kind}:desc`]]) {
      const walked: number[] = [];
      try {
        const list = await walker.list(parseQuery({ sort, limit: '100' }));
        let after: string | undefined;
        do {
          const page = await walker.page(parseQuery({ sort, limit: String(PAGE) }), {
            secret,
            after,
          });
          walked.push(...page.ids);
          after = page.next;
          if (page.ids.length < PAGE) break;
        } while (after !== undefined && walked.length <= 2 * ROW_COUNT);
        const isWhole = list.length === ROW_COUNT && String(walked) === String(list);
        if (!isWhole) wrong.push({ sort, list: String(list), walked: String(walked) });
      } catch (error) {
        wrong.push({ sort, error: String(error) });
      }
    }
  }
  return wrong;
}
