import type { OptInOperator } from '../config/operators.js';
import { isDefaultSort } from '../parse/default-sort.js';
import { joinList } from '../parse/list-value.js';
import type { AnyParsedQuery, FilterItem, SortItem } from '../parse/parsed-query.js';
import type { ParsedSummary } from '../parse/parsed-summary.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { refuseUnknownOperator } from './unknown-operator.js';
import { whereTexts } from './where-text.js';

/** The query parameters of a list endpoint. */
export interface QueryParams {
  /** Items of the form `field:operator:value`. */
  filter?: string[];
  /**
   * Conditions and groups: `or(a:eq:1,not(b:eq:2))`. The server reads them only if the option
   * `where` is on.
   */
  where?: string[];
  /** Items of the form `field:direction`. */
  sort?: string[];
  /** Names separated by commas. The server reads them only if the config has `selectable`. */
  fields?: string;
  page?: number;
  /**
   * A cursor instead of a page number. The page starts after the row of the cursor. The server
   * reads this parameter only if the option `cursors` is on.
   */
  after?: string;
  /**
   * A cursor instead of a page number. The page ends before the row of the cursor. The server reads
   * this parameter only if the option `cursors` is on.
   */
  before?: string;
  limit?: number;
  q?: string;
  /** Names separated by commas. The server reads them only if the config has `facetable`. */
  facets?: string;
  /**
   * Items such as `count` and `sum:amount`, separated by commas. The server reads them only if the
   * config has `aggregatable`.
   */
  aggregate?: string;
  /**
   * Items such as `status` and `createdAt:month`, separated by commas. The server reads them only
   * if the config has `groupable`.
   */
  group?: string;
  /** The IANA time zone of days, weeks, months and years. */
  timezone?: string;
}

/** Input of `buildQueryParams` and `buildQueryString`: any part of a parsed query. */
export type BuildableQuery = Omit<Partial<AnyParsedQuery>, 'summary'> & {
  readonly summary?: Partial<ParsedSummary>;
};

/**
 * Writes a parsed query as parameters. This is the reverse of `parseQuery`. Omits empty and missing
 * parts, and the default order of a config.
 * @throws UnbuildableQueryError if `parseQuery` would drop an item, or read it as a different item
 */
export function buildQueryParams(parsed: BuildableQuery): QueryParams {
  refuseParameterNames(parsed);
  const { filters = [], where, sort = [], fields, pagination, search = '', summary } = parsed;
  return {
    ...(filters.length > 0 && { filter: filters.map(filterText) }),
    ...(where !== undefined && { where: whereTexts(where) }),
    ...(sort.length > 0 && !isDefaultSort(sort) && { sort: sortTexts(sort) }),
    ...(fields !== undefined && { fields: joinList(fields).toWellFormed() }),
    ...placeOf(parsed),
    ...(pagination !== undefined && { limit: pagination.limit }),
    ...(search !== '' && { q: search.toWellFormed() }),
    ...(summary && summaryParams(summary)),
  };
}

/** The properties of a parsed query that write parameters with another name. */
const PROPERTIES = {
  filter: 'filters',
  page: 'pagination',
  limit: 'pagination',
  q: 'search',
  facets: 'summary',
  aggregate: 'summary',
  group: 'summary',
  timezone: 'summary',
} as const;

/** TypeScript reports these names only in object literals. They would be ignored. */
function refuseParameterNames(parsed: object): void {
  for (const [name, property] of Object.entries(PROPERTIES)) {
    if (!Object.hasOwn(parsed, name)) continue;
    throw new UnbuildableQueryError(`property \`${name}\``, `Use \`${property}\` instead.`);
  }
}

function summaryParams({
  facets = [],
  aggregates = [],
  groups = [],
  timeZone,
}: Partial<ParsedSummary>): QueryParams {
  const listOf = (items: readonly string[]) => joinList(items).toWellFormed();
  const aggregate = aggregates.map(({ operator, field }) =>
    field === undefined ? operator : `${operator}:${field}`,
  );
  const group = groups.map(({ field, period }) => (period ? `${field}:${period}` : field));
  return {
    ...(facets.length > 0 && { facets: listOf(facets) }),
    ...(aggregate.length > 0 && { aggregate: listOf(aggregate) }),
    ...(group.length > 0 && { group: listOf(group) }),
    ...(timeZone !== undefined && { timezone: timeZone }),
  };
}

function placeOf({ after, before, pagination }: BuildableQuery): QueryParams {
  if (after !== undefined && before !== undefined) {
    throw new UnbuildableQueryError('query with `after` and `before`', 'Remove one cursor.');
  }
  if (after !== undefined) return { after: after.toWellFormed() };
  if (before !== undefined) return { before: before.toWellFormed() };
  return pagination === undefined ? {} : { page: pagination.page };
}

function filterText({ field, operator, value }: FilterItem<string, OptInOperator>): string {
  if (field === '' || field.includes(':')) {
    throw new UnbuildableQueryError(
      `filter on "${field}"`,
      'Rename the field in the config: its name must not be empty or contain a colon.',
    );
  }
  if (value === '') {
    throw new UnbuildableQueryError(
      `filter on "${field}" without a value`,
      'Remove the filter, or set its value.',
    );
  }
  refuseUnknownOperator('filter', field, operator);
  return `${field}:${operator}:${value}`.toWellFormed();
}

function sortTexts(sort: readonly SortItem[]): string[] {
  const twice = sort.find(({ field }, i) => sort.findIndex((item) => item.field === field) < i);
  if (twice) {
    throw new UnbuildableQueryError(`second sort by "${twice.field}"`, 'Remove the second sort.');
  }
  return sort.map(sortText);
}

function sortText({ field, direction }: SortItem): string {
  if (field === '') throw new UnbuildableQueryError('sort without a field', 'Set `field`.');
  if (direction !== 'asc' && direction !== 'desc') {
    throw new UnbuildableQueryError(
      `sort by "${field}" in the direction "${String(direction)}"`,
      "Set the direction to 'asc' or 'desc'.",
    );
  }
  return `${field}:${direction}`.toWellFormed();
}

/**
 * Writes a parsed query as a query string, without the question mark. Lists are written as repeated
 * keys. Express and Fastify decode repeated keys in the same way.
 *
 * @throws UnbuildableQueryError if `parseQuery` would drop an item, or read it as a different item
 */
export function buildQueryString(parsed: BuildableQuery): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(buildQueryParams(parsed))) {
    for (const item of [value].flat()) text.append(name, String(item));
  }
  return text.toString();
}
