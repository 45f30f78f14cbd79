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
import { refuseSortKeys } from '../resolve/unsupported-sort-keys.js';
import type {
  Condition,
  QuerySpec,
  ResolvedQuery,
  ResolvedSort,
} from '../resolve/resolved-query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { cursorTextOf } from './cursor-value.js';
import { checkedSecrets, CURSOR_PLACE, cursorScope } from './cursor-signature.js';
import { keysetCondition } from './keyset-condition.js';
import { valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn } from '../resolve/relation.js';

/** Options of `keysetPage` and of `buildKeyset`. */
export interface KeysetOptions {
  /**
   * The key that signs cursors, at least 16 bytes. If you pass a list, the first secret signs
   * cursors and all secrets are accepted.
   */
  readonly secret: CursorSecrets;
  /**
   * Separates lists that have the same order and the same table, entity or columns, for example by
   * tenant. A cursor with another scope is rejected.
   * @default none
   */
  readonly scope?: string | readonly string[] | undefined;
  /**
   * The page starts after the row of this cursor.
   * @default `after` of the query if neither `after` nor `before` is set here
   */
  readonly after?: unknown;
  /**
   * The page ends before the row of this cursor. The rows are fetched in reverse order.
   * `paginate({ data, cursorOf, parsed })` and `connectionOf` restore the order of the list.
   * @default `before` of the query if neither `after` nor `before` is set here
   */
  readonly before?: unknown;
  /**
   * Fetches one row more than `limit`. `paginate({ data, cursorOf })` needs the row to set
   * `hasNext`.
   * @default true
   */
  readonly lookAhead?: boolean | undefined;
  /**
   * Returns the value of a sort key in a row.
   * @default the property with the name of the field, or else the property with the name of the
   * column. Kysely and Knex prefer the name of the column, because `select *` may return another
   * column with the name of the field. For a related row, the property at the column's path
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
  lookAhead: flag.default(true),
  read: callback<NonNullable<KeysetOptions['read']>>().default(sortValueOf),
} satisfies OptionTable<KeysetOptions>;

/** A page with a cursor. Late pages are as fast as the first page, because there is no offset. */
export interface KeysetPage {
  /** Joined to the filters by AND. Undefined for the first page. */
  readonly where: Condition | undefined;
  /**
   * The order in which rows are fetched. It is the order of the list, or with `before` the reverse
   * order.
   */
  readonly sort: readonly ResolvedSort[];
  /**
   * Returns the cursor for the page after this row.
   * @throws InvalidQueryConfigError if a value does not fit its column
   */
  cursorOf(row: object): string;
}

/**
 * Adds signed cursors to a resolved query.
 *
 * @throws InvalidQueryError if the cursor has another list, order or scope, or if a cursor cannot
 * contain the values of a sort key
 * @throws InvalidQueryConfigError if the order is empty, if the secret is missing or too short, or
 * if another option is invalid
 */
export function keysetPage(
  query: Pick<ResolvedQuery, 'sort' | 'list' | 'after' | 'before'>,
  options: KeysetOptions,
): KeysetPage {
  const { secret, scope, read } = readOptions(options, OPTIONS, CURSOR_PLACE);
  const { after, before } = cursorsIn(options, query);
  const { list } = query;
  const sort = isReversed(query) ? reversedOrder(query.sort) : query.sort;
  if (sort.length === 0) {
    throw new InvalidQueryConfigError(
      'Cursors require a sort order, but this list has none.',
      'Set `primaryKey` in the config.',
    );
  }
  refuseSortKeys(
    sort.filter(({ column }) => column.hasCursors === false),
    'a sort key that cursors support',
  );
  const bound = { list, scope };
  if (after !== undefined && before !== undefined) {
    const expected = 'either `after` or `before`';
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

function cursorsIn(
  { after, before }: KeysetOptions,
  query: Pick<ResolvedQuery, 'after' | 'before'>,
): Pick<KeysetOptions, 'after' | 'before'> {
  return after === undefined && before === undefined ? query : { after, before };
}

/** An adapter that supports pages with signed cursors. */
export interface KeysetAdapter<Query, Page, Config> extends CheckingAdapter<Query, Config> {
  /** Like `build`, but with a signed cursor instead of a page number. */
  buildKeyset(parsed: AnyParsedQuery, config: Config, options: KeysetOptions): Page;
}

/**
 * Removes the offset. Fetches one more row, unless `lookAhead` is false. `before` reverses the
 * order.
 * @throws InvalidQueryConfigError if the list has no primary key. A cursor would then skip rows
 * that have the same sort keys as its row
 */
export function keysetQuery(
  query: ResolvedQuery,
  { primaryKey = [] }: QuerySpec,
  options: KeysetOptions,
): ResolvedQuery {
  if (primaryKey.length === 0) {
    throw new InvalidQueryConfigError(
      'Cursors require a primary key, but this list has none.',
      'Set `primaryKey` in the config. TypeORM, MikroORM: mark the primary key of the entity.',
    );
  }
  const { lookAhead = true } = options;
  const { limit } = query.pagination;
  const pagination = { page: 1, limit: lookAhead ? limit + 1 : limit, offset: 0 };
  if (cursorsIn(options, query).before === undefined) return { ...query, pagination };
  return {
    ...query,
    pagination,
    sort: reversedOrder(query.sort),
    [REVERSED]: true,
  } as ReversedQuery;
}

/** A symbol, because object spread copies symbols. */
const REVERSED = Symbol('reversed');

interface ReversedQuery extends ResolvedQuery {
  readonly [REVERSED]?: true;
}

function isReversed(query: Pick<ResolvedQuery, 'sort' | 'list'>): boolean {
  return (query as ReversedQuery)[REVERSED] === true;
}

/** NULLs have the same position in both directions, so their position must be reversed too. */
function reversedOrder(sort: readonly ResolvedSort[]): readonly ResolvedSort[] {
  return sort.map(({ nulls, ...key }) => ({
    ...key,
    direction: key.direction === 'asc' ? 'desc' : 'asc',
    ...(nulls !== 'first' && { nulls: 'first' }),
  }));
}

/**
 * Reads the property with the name of the field, or else with the name of the column.
 * @throws InvalidQueryConfigError if both properties exist, but have different values
 */
export function sortValueOf(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  const { name, json, relation } = column;
  const hasColumn = relation === undefined && Object.hasOwn(record, name);
  const stored = hasColumn ? record[name] : valueAtPath(row, pathOfColumn(column));
  // The property with the name of the field may be another column. With `json`, it is.
  if (!Object.hasOwn(record, field) || (hasColumn && json !== undefined)) {
    return keyValueOf(stored, column);
  }
  const own = record[field];
  if (hasColumn && cursorTextOf(own, column) !== cursorTextOf(stored, column)) {
    throw new InvalidQueryConfigError(
      `A row has the properties "${field}" and "${name}" with different values. ` +
        `Field "${field}" is the column "${name}", so the value of the cursor is unclear.`,
      `Select the column "${name}" only as "${field}", rename the field in the config, ` +
        'or set the option `read` of the page.',
    );
  }
  return keyValueOf(own, column);
}
