import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { checkedSecrets, type CursorSecrets } from './cursor-signature.js';
import { type Condition, keysetCondition } from './keyset.js';

/** How a list is paged by cursors. */
export interface KeysetOptions {
  /** To exchange secrets, give a list: the first signs, every one is accepted. */
  readonly secret: CursorSecrets;
  /**
   * What separates lists beside their order and their table, entity or columns: the tenant, or the name of the
   * list. A cursor of another scope is refused. @default none
   */
  readonly scope?: string | readonly string[] | undefined;
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
 * @throws InvalidQueryError for a cursor that is not of this list in this order and scope, and for a sort key
 * whose values no cursor can hold
 * @throws InvalidQueryConfigError when the spec has no primary key, and for a missing or short secret
 */
export function keysetPage(
  { sort, list }: Pick<ResolvedQuery, 'sort' | 'list'>,
  { secret, scope, after, read = ownValue }: KeysetOptions,
): KeysetPage {
  if (sort.length === 0) {
    throw new InvalidQueryConfigError(
      'Rows without an order have no cursors.',
      'Give the config a primaryKey.',
    );
  }
  checkedSecrets(secret);
  const problems = sort
    .filter(({ column }) => column.hasCursors === false)
    .map(({ field }) => ({ kind: 'sort', field, reason: 'not-expressible', expected }) as const);
  if (problems.length > 0) throw new InvalidQueryError(problems);
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

const expected = 'a sort key that pages by cursor can have';

function ownValue(row: object, { field, column }: ResolvedSort): unknown {
  const record = row as Record<string, unknown>;
  return Object.hasOwn(record, field) ? record[field] : record[column.name];
}
