import {
  callback,
  checkedLater,
  flag,
  type OptionTable,
  readOptions,
  rule,
} from '@fledge-internal/options';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import type { CursorSecrets } from '../query.options.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { keyValueOf } from '../resolve/json-column.js';
import { refuseKeys } from '../resolve/refuse-keys.js';
import type { Condition, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { checkedSecrets, CURSOR_PLACE, cursorScope } from './cursor-signature.js';
import { keysetCondition } from './keyset-condition.js';
import { valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn } from '../resolve/relation.js';

/** Options of `keysetPage`, and of `buildKeyset` of the adapters. */
export interface KeysetOptions {
  /**
   * At least 16 bytes. With a list, the first secret signs cursors and all secrets are accepted.
   */
  readonly secret: CursorSecrets;
  /**
   * Separates lists further, for example by tenant or name. The order and the table, entity or
   * columns separate them already. A cursor of another scope is rejected. @default none
   */
  readonly scope?: string | readonly string[] | undefined;
  /** The cursor from the query string; the page starts after its row. @default none: the first page */
  readonly after?: unknown;
  /**
   * The cursor from the query string; the page ends before its row. The rows are fetched in the
   * reverse order; `paginate({ data, cursorOf, parsed })` and `connectionOf` restore the order of
   * the list.
   * @default none
   */
  readonly before?: unknown;
  /**
   * Fetches one row more than `limit`, so that `paginate({ data, cursorOf })` can tell whether
   * there is a next page.
   * @default false
   */
  readonly lookAhead?: boolean | undefined;
  /**
   * Reads the value of a sort key from a row.
   * @default the property with the name of the field, or else of the column; for a related row, at
   * the path of its relation
   */
  readonly read?: ((row: object, key: ResolvedSort) => unknown) | undefined;
}

const OPTIONS = {
  secret: rule((given: CursorSecrets) => {
    checkedSecrets(given);
    return given;
  }),
  scope: cursorScope,
  after: checkedLater,
  before: checkedLater,
  lookAhead: flag.default(false),
  read: callback<NonNullable<KeysetOptions['read']>>().default(sortValueOf),
} satisfies OptionTable<KeysetOptions>;

/** A page by cursor. It has no offset, so a late page costs as much as the first. */
export interface KeysetPage {
  /** Joined to the filters by AND. Undefined for the first page. */
  readonly where: Condition | undefined;
  /**
   * The order in which to fetch rows: the order of the list, or with `before` the reverse order.
   */
  readonly sort: readonly ResolvedSort[];
  /**
   * The cursor of the page that starts after this row.
   * @throws InvalidQueryConfigError for a value that does not fit its column
   */
  cursorOf(row: object): string;
}

/**
 * Pages a resolved query by signed cursors.
 *
 * @throws InvalidQueryError for a cursor of another list, order or scope, and for a sort key whose values a cursor
 * cannot hold
 * @throws InvalidQueryConfigError if the order is empty, for a missing or short secret, and for another invalid option
 */
export function keysetPage(
  query: Pick<ResolvedQuery, 'sort' | 'list'>,
  options: KeysetOptions,
): KeysetPage {
  const { secret, scope, after, before, read } = readOptions(options, OPTIONS, CURSOR_PLACE);
  const { list } = query;
  const sort = isReversed(query) ? reversedOrder(query.sort) : query.sort;
  if (sort.length === 0) {
    throw new InvalidQueryConfigError(
      'Cursors require a sort order, but this list has none.',
      'Set primaryKey in the config.',
    );
  }
  refuseKeys(
    sort.filter(({ column }) => column.hasCursors === false),
    'a sort key that cursors support',
  );
  const bound = { list, scope };
  if (after !== undefined && before !== undefined) {
    const expected = 'after or before';
    throw new InvalidQueryError([{ kind: 'cursor', reason: 'not-expressible', expected }]);
  }
  const cursor = after ?? before;
  const fetched = before === undefined ? sort : reversedOrder(sort);
  return {
    where:
      cursor === undefined
        ? undefined
        : keysetCondition(fetched, decodeCursor(cursor, sort, secret, bound)),
    sort: fetched,
    cursorOf(row) {
      const values = sort.map((key) => read(row, key));
      return encodeCursor(values, sort, secret, bound);
    },
  };
}

/** An adapter that also pages by signed cursors. */
export interface KeysetAdapter<Query, Page, Config> extends CheckingAdapter<Query, Config> {
  /** Returns a page by signed cursor instead of page number. */
  buildKeyset(parsed: AnyParsedQuery, config: Config, options: KeysetOptions): Page;
}

/**
 * Returns the query that fetches a page by cursor. It has no offset; with `lookAhead`, it fetches
 * one more row; with `before`, its order is reversed.
 */
export function keysetQuery(
  query: ResolvedQuery,
  { before, lookAhead = false }: KeysetOptions,
): ResolvedQuery {
  const { limit } = query.pagination;
  const pagination = { page: 1, limit: lookAhead ? limit + 1 : limit, offset: 0 };
  if (before === undefined) return { ...query, pagination };
  return {
    ...query,
    pagination,
    sort: reversedOrder(query.sort),
    [REVERSED]: true,
  } as ReversedQuery;
}

/**
 * Marks a query whose order is the reverse of its list's order. A symbol, so that copies keep it.
 */
const REVERSED = Symbol('reversed');

interface ReversedQuery extends ResolvedQuery {
  readonly [REVERSED]?: true;
}

function isReversed(query: Pick<ResolvedQuery, 'sort' | 'list'>): boolean {
  return (query as ReversedQuery)[REVERSED] === true;
}

/**
 * An order puts NULLs at the same end in both directions, so the reverse of an order must also put
 * them at the other end.
 */
function reversedOrder(sort: readonly ResolvedSort[]): readonly ResolvedSort[] {
  return sort.map(({ nulls, ...key }) => ({
    ...key,
    direction: key.direction === 'asc' ? 'desc' : 'asc',
    ...(nulls !== 'first' && { nulls: 'first' }),
  }));
}

/**
 * Returns the value of a sort key in a row: the property with the name of the field, or else of the
 * column.
 */
export function sortValueOf(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  const { name, json, relation } = column;
  // The row may also have another column with the name of the field.
  const isWhole = json === undefined || !Object.hasOwn(record, name);
  if (isWhole && Object.hasOwn(record, field)) return keyValueOf(record[field], column);
  return keyValueOf(relation ? valueAtPath(row, pathOfColumn(column)) : record[name], column);
}
