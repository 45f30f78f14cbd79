import { InvalidQueryConfigError } from '../query.errors.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { type CursorSecret, decodeCursor, encodeCursor } from './cursor.js';
import { type Condition, keysetCondition } from './keyset.js';

/** How a list is paged by cursors. */
export interface KeysetOptions {
  readonly secret: CursorSecret;
  /** The cursor of the row before the first wanted one, as the query has it. @default none: the first page */
  readonly after?: unknown;
  /** Where a row keeps the value of a sort key. @default its property of that field, else of that column */
  readonly read?: ((row: object, key: ResolvedSort) => unknown) | undefined;
}

/** A page by cursor: no offset, so the thousandth costs what the first does. */
export interface KeysetPage {
  /** Has to hold beside the filters; undefined for the first page. */
  readonly where: Condition | undefined;
  /** The cursor that has this row before its first. */
  cursorOf(row: object): string;
}

/**
 * Pages a resolved query by signed cursors.
 *
 * @throws InvalidQueryError for a cursor that is not of this list in this order
 * @throws InvalidQueryConfigError when the spec has no primary key
 */
export function keysetPage(
  { sort }: Pick<ResolvedQuery, 'sort'>,
  { secret, after, read = ownValue }: KeysetOptions,
): KeysetPage {
  if (sort.length === 0) {
    throw new InvalidQueryConfigError(
      'Rows without an order have no cursors.',
      'Give the config a primaryKey.',
    );
  }
  return {
    where:
      after === undefined ? undefined : keysetCondition(sort, decodeCursor(after, sort, secret)),
    cursorOf: (row) =>
      encodeCursor(
        sort.map((key) => read(row, key)),
        sort,
        secret,
      ),
  };
}

function ownValue(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  return Object.hasOwn(record, field) ? record[field] : record[column.name];
}
