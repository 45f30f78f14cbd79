export const AGGREGATE_OPERATORS = ['count', 'sum', 'avg', 'min', 'max'] as const;
/** The functions of the parameter `aggregate`. */
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

/** One item of `group`, such as `status` or `createdAt:month`. */
export interface GroupItem {
  readonly field: string;
  /** Missing if the rows are grouped by value. */
  readonly period?: Period;
}

/**
 * The requested `facets`, `aggregate`, `group` and `timezone`: only allowed fields, within the
 * limits.
 */
export interface ParsedSummary {
  /** Fields whose values are counted, without duplicates. */
  readonly facets: readonly string[];
  readonly aggregates: readonly AggregateItem[];
  readonly groups: readonly GroupItem[];
  /** IANA time zone of the periods. */
  readonly timeZone: string;
  /** Maximum number of groups in each facet and in the aggregates. */
  readonly limit: number;
}
