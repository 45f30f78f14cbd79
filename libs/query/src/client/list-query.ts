import type { AnyParsedQuery, PaginationParams } from '../parse/parsed-query.js';
import { UnbuildableQueryError } from '../query.errors.js';
import type { AnyNode } from './condition.js';

/** The query that `buildQueryString` and `buildQueryParams` write. */
export type ListQuery = Partial<AnyParsedQuery>;

/** Conditions outside groups become `filter`, so the server needs `where` only for groups. */
export function joinConditions(
  conditions: readonly AnyNode[],
): Pick<ListQuery, 'filters' | 'where'> {
  const nodes = conditions.flatMap(membersOf);
  const filters = nodes.filter((node) => 'field' in node);
  const groups = nodes.filter((node) => !('field' in node));
  const [first] = groups;
  if (first === undefined) return { filters };
  return { filters, where: groups.length === 1 ? first : { and: groups } };
}

/**
 * Returns the page with an index that starts at 0.
 * @throws UnbuildableQueryError if the index or the size is not a whole number in range
 */
export function pageAt(index: number, size: number): PaginationParams {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new UnbuildableQueryError(
      `page size of ${size}`,
      'Set a whole number that is 1 or more.',
    );
  }
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new UnbuildableQueryError(
      `page index of ${index}`,
      'Set a whole number that is 0 or more.',
    );
  }
  return { page: index + 1, limit: size, offset: index * size };
}

/**
 * @param asked the client's setting, for the error message
 * @throws UnbuildableQueryError if `maxLimit` is undefined
 */
export function pageOfAllRows(asked: string, maxLimit: number | undefined): PaginationParams {
  if (maxLimit !== undefined) return pageAt(0, maxLimit);
  throw new UnbuildableQueryError(
    `request for all rows (${asked})`,
    'Request pages, or set the option `maxLimit` to the limit of the server. ' +
      'The response then has at most `maxLimit` rows.',
  );
}

function membersOf(node: AnyNode): readonly AnyNode[] {
  return 'and' in node ? node.and.flatMap(membersOf) : [node];
}
