import type { AggregateItem, GroupItem, Period } from '../parse/parsed-summary.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import { ownColumn, type QueryColumn } from '../resolve/column.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { QuerySpec, ResolvedQuery } from '../resolve/resolved-query.js';
import { isDate, isNumber } from '../resolve/summary-columns.js';

export interface PlannedKey {
  readonly field: string;
  readonly column: QueryColumn;
  /** The period, if the field is a date. */
  readonly period?: Period;
}

export interface PlannedAggregate {
  readonly operator: 'sum' | 'avg' | 'min' | 'max';
  readonly field: string;
  readonly column: QueryColumn;
}

export interface PlannedGroups {
  /** The field of a facet. Undefined for the aggregates. */
  readonly facet?: string;
  readonly query: ResolvedQuery;
  readonly keys: readonly PlannedKey[];
  readonly aggregates: readonly PlannedAggregate[];
}

/** The groups that a query requests, with their columns. */
export interface SummaryPlan {
  readonly parts: readonly PlannedGroups[];
  readonly timeZone: string;
  readonly limit: number;
}

/**
 * Returns the groups that a query requests. Returns undefined if it requests none.
 * @throws InvalidQueryError if a filter does not fit, or if a date has no period
 */
export function planSummary(parsed: AnyParsedQuery, spec: QuerySpec): SummaryPlan | undefined {
  const { summary } = parsed;
  if (summary === undefined) return undefined;
  // Also checks the filters that facets ignore.
  const query = resolveQuery(parsed, spec);
  const { facets, aggregates, groups, timeZone, limit } = summary;
  const problems: QueryProblem[] = [];
  const parts: PlannedGroups[] = facets.map((facet) => ({
    facet,
    query: resolveQuery(withoutFilters(parsed, facet), spec),
    keys: keysOf('facets', [{ field: facet }], spec, problems),
    aggregates: [],
  }));
  if (aggregates.length + groups.length > 0) {
    parts.push({
      query,
      keys: keysOf('group', groups, spec, problems),
      aggregates: aggregatesOf(aggregates, spec, problems),
    });
  }
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return { parts, timeZone, limit };
}

type WhereNode = NonNullable<AnyParsedQuery['where']>;

/** Also removes the parts of `where` that use only this field. */
function withoutFilters({ where, ...parsed }: AnyParsedQuery, field: string): AnyParsedQuery {
  const filters = parsed.filters.filter((item) => item.field !== field);
  const kept = where && withoutParts(where, field);
  return { ...parsed, filters, ...(kept && { where: kept }) };
}

function withoutParts(node: WhereNode, field: string): WhereNode | undefined {
  if (isOnly(node, field)) return undefined;
  if (!('and' in node)) return node;
  const and = node.and.flatMap((part) => withoutParts(part, field) ?? []);
  return { and };
}

function isOnly(node: WhereNode, field: string): boolean {
  if ('field' in node) return node.field === field;
  if ('not' in node) return isOnly(node.not, field);
  return ('or' in node ? node.or : node.and).every((part) => isOnly(part, field));
}

function keysOf(
  kind: 'facets' | 'group',
  items: readonly GroupItem[],
  { summary }: QuerySpec,
  problems: QueryProblem[],
): PlannedKey[] {
  const columns = summary?.[kind === 'facets' ? 'facetable' : 'groupable'] ?? {};
  return items.flatMap(({ field, period }) => {
    const column = ownColumn(columns, field);
    const expected =
      column && isDate(column)
        ? `a period (day, week, month or year), such as ${field}:day`
        : `${field} without a period`;
    if (column === undefined) problems.push({ kind, field, reason: 'field-not-allowed' });
    else if (isDate(column) === (period === undefined)) {
      problems.push({ kind, field, reason: 'malformed', expected });
    } else return [{ field, column, ...(period && { period }) }];
    return [];
  });
}

function aggregatesOf(
  items: readonly AggregateItem[],
  { summary }: QuerySpec,
  problems: QueryProblem[],
): PlannedAggregate[] {
  return items.flatMap(({ operator, field }) => {
    // `count` is omitted, because the rows of each group are always counted.
    if (operator === 'count' || field === undefined) return [];
    const column = ownColumn(summary?.aggregatable ?? {}, field);
    const problem = { kind: 'aggregate', field, operator } as const;
    const adds = operator === 'sum' || operator === 'avg';
    if (column === undefined) problems.push({ ...problem, reason: 'field-not-allowed' });
    else if (adds && !isNumber(column)) {
      problems.push({ ...problem, reason: 'operator-not-allowed', expected: 'min or max' });
    } else return [{ operator, field, column }];
    return [];
  });
}
