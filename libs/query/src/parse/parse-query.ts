import { type AllowLists, allowListsOf, OPEN_LISTS } from '../config/allow-lists.js';
import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import { type ResolvedQueryOptions, resolveQueryOptions } from '../query.defaults.js';
import type { QueryOptions } from '../query.options.js';
import { readCursorPlace } from './after-parameter.js';
import { readFields } from './fields-parameter.js';
import { readFilters } from './filter-parameter.js';
import { Findings } from './findings.js';
import { readPagination } from './page-parameters.js';
import type { AnyParsedQuery, ParsedQuery } from './parsed-query.js';
import { carry } from './options-for-adapters.js';
import { readSearch } from './search-parameter.js';
import { readSort } from './sort-parameter.js';
import { readSummary } from './summary-parameters.js';
import { readWhere } from './where-parameter.js';
import { findStrayParameters } from './stray-parameters.js';
import { decodedQuery, readParameters } from './query-parameters.js';

/**
 * Parses `filter`, `sort`, `page`, `limit` and `q` in a decoded query string of Express or Fastify.
 * Some options enable `where`, `after` and `before`. Some lists in the config enable `fields`,
 * `facets`, `aggregate` and `group`. Drops malformed items, and fields that the config does not
 * contain. Without a config, every well-formed field is accepted.
 *
 * @throws InvalidQueryError if filters, list items or characters exceed the limits, or if `where`,
 * `after` or `before` is invalid, or if the query is a string or an array. With `onInvalid:
 * 'throw'`, invalid items also throw instead of being dropped or shortened
 * @throws InvalidQueryConfigError if the config or an option is wrong, or if the query is
 * `URLSearchParams`, a `URL` or a `Map`
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
 * Checks a config and options, and returns a parser that uses them.
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
  // This cast is safe, because the lists allow only names and operators that the type contains.
  return (query) => parse(query, lists, resolved) as ParsedQuery<Config, OptIn>;
}

const DEFAULTS: QueryOptions = {};

function listsOf(config: QueryFieldConfig | undefined): AllowLists {
  return config === undefined ? OPEN_LISTS : allowListsOf(config);
}

function parse(given: unknown, lists: AllowLists, options: ResolvedQueryOptions): AnyParsedQuery {
  const query = decodedQuery(given);
  const wire = readParameters(query);
  const findings = new Findings(options);
  findStrayParameters(query, lists, options, findings);
  const { page, after, before } = options.cursors
    ? readCursorPlace(wire, findings)
    : { page: wire.page, after: undefined, before: undefined };
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
  carry(parsed, options);
  return parsed;
}
