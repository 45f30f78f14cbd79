import type { OptInOperator } from '../config/operators.js';
import type { AnyParsedQuery, FilterItem, SortItem } from '../parse/parsed-query.js';
import { UnbuildableQueryError } from '../query.errors.js';

/** The parameters of a list endpoint, as `parseQuery` reads them. */
export interface QueryParams {
  /** `field:operator:value` */
  filter?: string[];
  /** `field:direction` */
  sort?: string[];
  page?: number;
  limit?: number;
  q?: string;
}

/**
 * The inverse of parsing; sections that are empty or left out give no key.
 * @throws UnbuildableQueryError for an item that parsing would drop or read as another
 */
export function buildQueryParams(parsed: Partial<AnyParsedQuery>): QueryParams {
  const { filters = [], sort = [], pagination, search = '' } = parsed;
  return {
    ...(filters.length > 0 && { filter: filters.map(filterText) }),
    ...(sort.length > 0 && { sort: sort.map(sortText) }),
    ...(pagination !== undefined && { page: pagination.page, limit: pagination.limit }),
    ...(search !== '' && { q: search.toWellFormed() }),
  };
}

function filterText({ field, operator, value }: FilterItem<string, OptInOperator>): string {
  if (field === '' || field.includes(':')) {
    throw new UnbuildableQueryError(
      `filter on "${field}"`,
      'Rename the field in the config: it needs a name, and none with a colon.',
    );
  }
  if (value === '') {
    throw new UnbuildableQueryError(
      `filter on "${field}" without a value`,
      'Leave it out, or give it one.',
    );
  }
  return `${field}:${operator}:${value}`.toWellFormed();
}

function sortText({ field, direction }: SortItem): string {
  if (field === '') throw new UnbuildableQueryError('sort without a field', 'Name one.');
  return `${field}:${direction}`.toWellFormed();
}
