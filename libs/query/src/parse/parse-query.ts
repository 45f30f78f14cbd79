import { type AllowLists, allowListsOf, OPEN_LISTS } from '../config/allow-lists.js';
import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import { type ResolvedQueryOptions, resolveQueryOptions } from '../query.defaults.js';
import type { QueryOptions } from '../query.options.js';
import { type CursorPlace, readCursorPlace } from './after-parameter.js';
import { readFields } from './fields-parameter.js';
import { readFilters } from './filter-parameter.js';
import { Findings } from './findings.js';
import { readPagination } from './page-parameters.js';
import type { AnyParsedQuery, ParsedQuery } from './parsed-query.js';
import { carrying } from './carried-options.js';
import { readSearch } from './search-parameter.js';
import { readSort } from './sort-parameter.js';
import { readSummary } from './summary-parameters.js';
import { readWhere } from './where-parameter.js';
import { refuseStrayParameters } from './stray-parameters.js';
import { type WireQuery, readParameters } from './query-parameters.js';

/**
 * Parses `filter`, `sort`, `page`, `limit` and `q` of a query string that Express or Fastify has
 * decoded. Options add `where`, `after` and `before`; lists of the config add `fields`, `facets`,
 * `aggregate` and `group`. Malformed items, and fields that the config does not list, are dropped.
 * Without a config, every well-formed field is accepted.
 *
 * @throws InvalidQueryError if filters, list items or characters exceed the limits, and for every
 * error in `where`, `after` or `before`. With `onInvalid: 'throw'`, also for each item that would
 * otherwise be dropped or cut
 * @throws InvalidQueryConfigError if the config or an option is wrong
 * @example
 * ```ts
 * const parsed = parseQuery(req.query, { filterable: ['status'], sortable: ['createdAt'] });
 * ```
 */
export function parseQuery<const OptIn extends OptInOperator = never>(
  query: unknown,
  config?: undefined,
  options?: QueryOptions<OptIn>,
): ParsedQuery<QueryFieldConfig, OptIn>;
export function parseQuery<
  const Config extends QueryFieldConfig,
  const OptIn extends OptInOperator = never,
>(
  query: unknown,
  config: Config | undefined,
  options?: QueryOptions<OptIn>,
): ParsedQuery<Config, OptIn>;
export function parseQuery(
  query: unknown,
  config?: QueryFieldConfig,
  options: QueryOptions<OptInOperator> = DEFAULTS,
): AnyParsedQuery {
  return parse(query, listsOf(config), resolveQueryOptions(options));
}

/**
 * Checks a config and options now, and returns `parseQuery` for them.
 * @throws InvalidQueryConfigError if the config or an option is wrong
 */
export function compileQuery<
  const Config extends QueryFieldConfig,
  const OptIn extends OptInOperator = never,
>(
  config: Config | undefined,
  options: QueryOptions<OptIn> = DEFAULTS,
): (query: unknown) => ParsedQuery<Config, OptIn> {
  const lists = listsOf(config);
  const resolved = resolveQueryOptions(options);
  // The cast is safe, because the lists allow only the names and operators of the type.
  return (query) => parse(query, lists, resolved) as ParsedQuery<Config, OptIn>;
}

const DEFAULTS: QueryOptions = {};

function listsOf(config: QueryFieldConfig | undefined): AllowLists {
  return config === undefined ? OPEN_LISTS : allowListsOf(config);
}

function parse(query: unknown, lists: AllowLists, options: ResolvedQueryOptions): AnyParsedQuery {
  const wire = readParameters(query);
  const findings = new Findings(options);
  if (options.strict) refuseStrayParameters(query, lists, options, findings);
  const { page, after, before } = options.cursors
    ? readCursorPlace(wire, findings)
    : byNumber(wire);
  const parsed = {
    filters: readFilters(wire.filter, lists, options, findings),
    sort: readSort(wire.sort, lists, options, findings),
    pagination: readPagination(page, wire.limit, options, findings),
    search: readSearch(wire.q, options, findings),
  };
  const where = options.where ? readWhere(wire.where, lists, options, findings) : undefined;
  const fields = readFields(wire.fields, lists, options, findings);
  const summary = lists.summary && readSummary(query, lists.summary, options, findings);
  findings.settle();
  if (where !== undefined) Object.assign(parsed, { where });
  if (fields !== undefined) Object.assign(parsed, { fields });
  if (after !== undefined) Object.assign(parsed, { after });
  if (before !== undefined) Object.assign(parsed, { before });
  if (summary !== undefined) Object.assign(parsed, { summary });
  return carrying(parsed, options);
}

function byNumber({ page }: WireQuery): CursorPlace {
  return { page, after: undefined, before: undefined };
}
