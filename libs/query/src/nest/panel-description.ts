import type { QueryFieldConfig } from '../config/field-config.js';
import { allowListsOf } from '../config/allow-lists.js';
import { FILTER_OPERATORS } from '../config/operators.js';
import { compileQuery } from '../parse/parse-query.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { mergeOptions, resolveQueryOptions } from '../query.defaults.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { QueryModuleOptions, RouteQueryOptions } from '../query.options.js';
import type { ListRoute } from './list-route.js';
import { hasSearch, isFilterable } from './query-schema.js';

/**
 * Returns the details of a list route for @fledge/panel. The panel finds this function by a
 * registered symbol, because this package also works without core.
 */
export type DescribeListRoute = (module: QueryModuleOptions | undefined) => ListRouteDescription;

interface ListRouteDescription {
  readonly columns: readonly ColumnDescription[];
  readonly sortable: readonly string[];
  readonly searchable: boolean;
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly onInvalid: 'drop' | 'throw';
  /** @param query the decoded query string */
  parse(query: unknown): ParsedForPanel;
}

interface ColumnDescription {
  readonly name: string;
  readonly type?: string;
  /** The values of an enum. */
  readonly values?: readonly string[];
  readonly operators: readonly string[];
}

interface ParsedForPanel {
  /** Undefined if the query is invalid. The route would then respond with 400. */
  readonly parsed: AnyParsedQuery | undefined;
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
}

export const PANEL_DESCRIPTION = Symbol.for('fledge:panel-list-route');

export function describeListRoute({ config, options }: ListRoute): DescribeListRoute {
  return (module) => {
    const effective = mergeOptions(module, options);
    const { defaultLimit, maxLimit, strict, operators } = resolveQueryOptions(effective);
    const lists = config && allowListsOf(config);
    const usable = [...FILTER_OPERATORS, ...operators];
    return {
      columns: [...(lists?.filterable ?? [])]
        .filter(isFilterable)
        .map((name) => ({ name, ...typeOf(columnOf(config, name)), operators: usable })),
      sortable: [...(lists?.sortable ?? [])],
      searchable: hasSearch(config),
      defaultLimit,
      maxLimit,
      onInvalid: strict ? 'throw' : 'drop',
      parse: (query) => parsedForPanel(config, effective, query),
    };
  };
}

function columnOf(config: QueryFieldConfig | undefined, name: string): unknown {
  return config && 'columns' in config ? config.columns[name] : undefined;
}

/** Returns the type that a Drizzle column declares. Returns undefined for columns of other ORMs. */
function typeOf(column: unknown): Pick<ColumnDescription, 'type' | 'values'> {
  if (typeof column !== 'object' || column === null) return {};
  const { dataType, enumValues } = column as Partial<Record<string, unknown>>;
  if (typeof dataType !== 'string') return {};
  const hasValues = Array.isArray(enumValues) && enumValues.length > 0;
  return { type: dataType, ...(hasValues && { values: enumValues.map(String) }) };
}

function parsedForPanel(
  config: QueryFieldConfig | undefined,
  options: RouteQueryOptions,
  query: unknown,
): ParsedForPanel {
  const problems: QueryProblem[] = [];
  const parse = compileQuery(config, { ...options, onReject: (problem) => problems.push(problem) });
  try {
    const parsed = parse(query) as AnyParsedQuery;
    return { parsed, dropped: problems.map(shownProblem) };
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error;
    return { parsed: undefined, dropped: error.errors.map(shownProblem) };
  }
}

function shownProblem({ kind, field, operator, reason, expected }: QueryProblem) {
  return {
    text: [kind, field, operator].filter((part) => part !== undefined).join(' '),
    reason: expected === undefined ? reason : `${reason} (expected: ${expected})`,
  };
}
