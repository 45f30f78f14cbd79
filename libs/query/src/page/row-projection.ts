import type { ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';
import { withoutMembers, withoutPaths } from '../resolve/row-members.js';
import { keysBeside } from '../resolve/selected-fields.js';
import type { SortedColumn } from '../shared-sql/sort-joins.js';

/**
 * Returns a row with only the requested fields. A row of a page with a cursor also contains the
 * sort keys, even if the query does not request them.
 */
export type ProjectRow<Row extends object = object> = <Own extends Row>(row: Own) => Partial<Own>;

/**
 * The type of `project` on a page with a cursor. If the config has no `selectable`, the type omits
 * `project`. The page can then be passed to an ORM.
 */
export type Projected<Config> = Config extends { readonly selectable: object }
  ? {
      /**
       * Returns the row without sort keys that the query did not request with `fields`. Call
       * `project` after `cursorOf`. This property is not enumerable.
       */
      readonly project: ProjectRow;
    }
  : object;

/**
 * Returns `project` for rows whose properties are field names.
 * @param joined the sort keys of related rows. They are also properties of the row
 */
export function projectionByField(
  query: ResolvedQuery,
  joined: readonly SortedColumn[] = [],
): ProjectRow {
  const keys = query.fields === undefined ? [] : keysBeside(query).map(({ field }) => field);
  const extra = [...keys, ...joined.map(({ as }) => as)];
  return (row) => withoutMembers(row, extra);
}

/**
 * Returns `project` for entities. The values of entities are at dotted paths.
 * @param beside returns the fields that were fetched only for the cursor
 */
export function projectionByPath(
  query: ResolvedQuery,
  beside: (query: ResolvedQuery) => readonly ResolvedField[] = keysBeside,
): ProjectRow {
  if (query.fields === undefined) return (row) => row;
  const extra = beside(query).map(({ name }) => name);
  const kept = query.fields.map(({ name }) => name);
  return (row) => withoutPaths(row, extra, kept);
}

/** The properties that pages with cursors have in all adapters. */
export interface CursorPage<Row extends object = object> {
  /** Returns the cursor for the page after this row. */
  readonly cursorOf: (row: Row) => string;
  /**
   * Returns the row without sort keys that the query did not request with `fields`. With Kysely and
   * Knex, also removes sort keys of related rows, even if the query has no `fields`. Call `project`
   * after `cursorOf`. This property is not enumerable.
   */
  readonly project: ProjectRow<Row>;
}

/** Not enumerable: ORMs reject unknown arguments, and object spread must not copy `project`. */
export function withProject<Page extends object, Project>(
  page: Page,
  project: Project,
): Page & { readonly project: Project } {
  Object.defineProperty(page, 'project', { value: project, enumerable: false });
  return page as Page & { readonly project: Project };
}
