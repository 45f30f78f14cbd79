import type { ResolvedField, ResolvedQuery } from '../resolve/resolved-query.js';
import { withoutMembers, withoutPaths } from '../resolve/row-members.js';
import { keysBeside } from '../resolve/selected-fields.js';
import type { SortedColumn } from '../shared-sql/sort-joins.js';

/** Returns a row of a page by cursor with only the requested fields. The page also has its sort keys. */
export type ProjectRow<Row extends object = object> = <Own extends Row>(row: Own) => Partial<Own>;

/**
 * `project` of a page by cursor. Without `selectable` it is not in the type, so that the page can
 * be passed to a query of the ORM.
 */
export type Projected<Config> = Config extends { readonly selectable: object }
  ? {
      /**
       * Returns the row without the sort keys that `fields` does not request. Call it after
       * `cursorOf`. Not enumerable.
       */
      readonly project: ProjectRow;
    }
  : object;

/**
 * Returns `ProjectRow` for rows with one member for each field.
 * @param joined the sort keys of related rows, which are also members of the row
 */
export function projectionByField(
  query: ResolvedQuery,
  joined: readonly SortedColumn[] = [],
): ProjectRow {
  if (query.fields === undefined) return (row) => row;
  const keys = keysBeside(query).map(({ field }) => field);
  const extra = [...keys, ...joined.map(({ as }) => as)];
  return (row) => withoutMembers(row, extra);
}

/**
 * Returns `ProjectRow` for entities, whose members are at dotted paths.
 * @param beside the sort keys that were also fetched
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

/** The properties that a page by cursor of every adapter has. */
export interface CursorPage<Row extends object = object> {
  /** The cursor of the page that starts after this row. */
  readonly cursorOf: (row: Row) => string;
  /**
   * Returns the row without the sort keys that `fields` does not request. Call it after `cursorOf`.
   * Not enumerable.
   */
  readonly project: ProjectRow<Row>;
}

/**
 * Adds `project` to a page by cursor. It is not enumerable, because ORMs reject unknown arguments
 * and spreads must not copy it.
 */
export function withProject<Page extends object, Project>(
  page: Page,
  project: Project,
): Page & { readonly project: Project } {
  Object.defineProperty(page, 'project', { value: project, enumerable: false });
  return page as Page & { readonly project: Project };
}
