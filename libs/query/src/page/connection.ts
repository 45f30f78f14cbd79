import { type CursorResult, sliceOf } from './cursor-page.js';

/** A page with a cursor in Relay's format (GraphQL Cursor Connections Specification). */
export interface Connection<T> {
  edges: ConnectionEdge<T>[];
  pageInfo: ConnectionPageInfo;
}

/**
 * A row and its cursor. The cursor works for the page after the row and for the page before the
 * row.
 */
export interface ConnectionEdge<T> {
  node: T;
  cursor: string;
}

/** The position of a page, with Relay's names. The cursors are null if the page has no rows. */
export interface ConnectionPageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/**
 * Converts a page with a cursor to a Relay connection, for the result of a GraphQL field. Accepts
 * the same input as `paginate`.
 *
 * @example
 * ```ts
 * const parsed = parseQuery({ ...args, limit: args.first ?? args.last }, TASKS, { cursors: true });
 * const { cursorOf, ...page } = drizzleAdapter.buildKeyset(parsed, TASKS, this.cursors.for(parsed));
 * return connectionOf({ data: await this.find(page), cursorOf, parsed });
 * ```
 */
export function connectionOf<T>(result: CursorResult<T>): Connection<T> {
  const { rows, hasNext, hasPrev } = sliceOf(result);
  const edges = rows.map((node) => ({ node, cursor: result.cursorOf(node) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: hasNext,
      hasPreviousPage: hasPrev,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
