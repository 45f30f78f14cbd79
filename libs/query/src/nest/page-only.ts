import type { StringQueryFieldConfig } from '../config/field-config.js';
import type { RouteQueryOptions } from './query-module.options.js';

/** A list that can be paged through, and nothing else. */
export const PAGE_ONLY: StringQueryFieldConfig = { filterable: [], sortable: [], searchable: [] };

/** For a query that is read a second time: everything wrong with it was told the first time. */
export function quiet(options: RouteQueryOptions): RouteQueryOptions {
  return { ...options, onReject: undefined };
}
