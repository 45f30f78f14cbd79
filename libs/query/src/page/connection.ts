import { type CursorResult, sliceOf } from './cursor-page.js';

/** A page by cursor in the form of the GraphQL Cursor Connections Specification of Relay. */
export interface Connection<T> {
  edges: ConnectionEdge<T>[];
  pageInfo: ConnectionPageInfo;
}

/** A row, and the cursor of the page that starts after it or ends before it. */
export interface ConnectionEdge<T> {
  node: T;
  cursor: string;
}

/** The position of a page, named as in Relay. The cursors are null on a page without rows. */
export interface ConnectionPageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/**
 * Converts a page by cursor to a Relay connection, for the result of a GraphQL field. Accepts the
 * input of `paginate`.
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
