export const AGGREGATE_OPERATORS = ['count', 'sum', 'avg', 'min', 'max'] as const;
/** The functions that `aggregate` computes over the rows of a group. */
export type AggregateOperator = (typeof AGGREGATE_OPERATORS)[number];

export const PERIODS = ['day', 'week', 'month', 'year'] as const;
/** The periods by which dates are grouped. Weeks start on Monday, as in ISO 8601. */
export type Period = (typeof PERIODS)[number];

/** One item of `aggregate`: `count`, or `sum:amount`. */
export interface AggregateItem {
  readonly operator: AggregateOperator;
  /** Missing for `count`. */
  readonly field?: string;
}

/** One item of `group`: `status`, or `createdAt:month`. */
export interface GroupItem {
  readonly field: string;
  /** Missing if rows are grouped by the value itself. */
  readonly period?: Period;
}

/**
 * The requested `facets`, `aggregate`, `group` and `timezone`: only allowed fields, within the
 * limits.
 */
export interface ParsedSummary {
  /** Fields whose values are counted, each once. */
  readonly facets: readonly string[];
  readonly aggregates: readonly AggregateItem[];
  readonly groups: readonly GroupItem[];
  /** IANA time zone of the periods. */
  readonly timeZone: string;
  /** Maximum number of groups returned for each facet and for the aggregates. */
  readonly limit: number;
}
