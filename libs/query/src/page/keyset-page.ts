import {
  callback,
  checkedLater,
  flag,
  type OptionTable,
  readOptions,
  rule,
} from '@fledge-internal/options';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { CursorSecrets } from '../query.options.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { refuseKeys } from '../resolve/refuse-keys.js';
import type { Condition, ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { checkedSecrets, CURSOR_PLACE, cursorScope } from './cursor-signature.js';
import { keysetCondition } from './keyset-condition.js';
import { valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn } from '../resolve/relation.js';

/** Options of `keysetPage`, and of `buildKeyset` of the adapters. */
export interface KeysetOptions {
  /** At least 16 bytes. With a list, the first secret signs and each is accepted. */
  readonly secret: CursorSecrets;
  /**
   * Separates lists further, for example by tenant or name. The order and the table, entity or columns separate them
   * already. A cursor of another scope is refused. @default none
   */
  readonly scope?: string | readonly string[] | undefined;
  /** The cursor from the query string; the page starts after its row. @default none: the first page */
  readonly after?: unknown;
  /**
   * Fetches one row more than `limit`, by which `paginate({ data, cursorOf })` finds out whether there is a next page.
   * @default false
   */
  readonly lookAhead?: boolean | undefined;
  /**
   * Reads the value of a sort key from a row.
   * @default the property named as the field, else as the column; of a related row, at the path of its relation
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
  lookAhead: flag.default(false),
  read: callback<NonNullable<KeysetOptions['read']>>().default(sortValueOf),
} satisfies OptionTable<KeysetOptions>;

/** A page by cursor. It has no offset, so a late page costs as much as the first. */
export interface KeysetPage {
  /** Joined to the filters by AND; undefined for the first page. */
  readonly where: Condition | undefined;
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
  { sort, list }: Pick<ResolvedQuery, 'sort' | 'list'>,
  options: KeysetOptions,
): KeysetPage {
  const { secret, scope, after, read } = readOptions(options, OPTIONS, CURSOR_PLACE);
  if (sort.length === 0) {
    throw new InvalidQueryConfigError(
      'A list without an order has no cursors.',
      'Set primaryKey in the config.',
    );
  }
  refuseKeys(
    sort.filter(({ column }) => column.hasCursors === false),
    'a sort key that cursors can hold',
  );
  const bound = { list, scope };
  const where =
    after === undefined
      ? undefined
      : keysetCondition(sort, decodeCursor(after, sort, secret, bound));
  return {
    where,
    cursorOf(row) {
      const values = sort.map((key) => read(row, key));
      return encodeCursor(values, sort, secret, bound);
    },
  };
}

/** An adapter that also pages by signed cursors. */
export interface KeysetAdapter<Query, Page, Config> extends CheckingAdapter<Query, Config> {
  /** A page by signed cursor instead of page number. */
  buildKeyset(parsed: AnyParsedQuery, config: Config, options: KeysetOptions): Page;
}

/** A query as a page by cursor fetches it: without an offset, and with `lookAhead` for one row more. */
export function keysetQuery(
  query: ResolvedQuery,
  { lookAhead = false }: KeysetOptions,
): ResolvedQuery {
  const { limit } = query.pagination;
  return { ...query, pagination: { page: 1, limit: lookAhead ? limit + 1 : limit, offset: 0 } };
}

/** The value of a sort key in a row: the property named as the field, else as the column. */
export function sortValueOf(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  if (Object.hasOwn(record, field)) return record[field];
  return column.relation ? valueAtPath(row, pathOfColumn(column)) : record[column.name];
}
