/**
 * A value of a group. Strings are exact: decimals, 64-bit integers, ISO 8601 dates and timestamps.
 */
export type SummaryValue = string | number | boolean | null;

/** The groups with the most rows, up to `limits.maxGroups`. */
export interface SummaryGroups<Group> {
  /**
   * Sorted by number of rows, largest first. Groups with equal numbers are sorted by their values,
   * NULL first.
   */
  groups: Group[];
  /** The number of all groups. Counting stops at 10,000. */
  total: number;
}

/** A value of a facet, and the number of rows with this value. */
export interface FacetGroup {
  value: SummaryValue;
  count: number;
}

/** The rows that have the same values of the fields of `group`. */
export interface AggregateGroup {
  /** The values by field. Periods are written `2026-01-31`, `2026-W05`, `2026-01` and `2026`. Empty without `group`. */
  group: Record<string, SummaryValue>;
  /** The number of rows. */
  count: number;
  /**
   * The sums by field. Like `avg`, `min` and `max`, they ignore NULL, and are null if all values
   * are NULL.
   */
  sum?: Record<string, SummaryValue>;
  /** The averages by field, with up to ten digits after the point. */
  avg?: Record<string, SummaryValue>;
  min?: Record<string, SummaryValue>;
  max?: Record<string, SummaryValue>;
}

/** The result of `summarize` for `facets`, `aggregate` and `group`. */
export interface Summary {
  /**
   * The results by field. The counts of a field ignore the filters on that field. Missing for a
   * query without `facets`.
   */
  facets?: Record<string, SummaryGroups<FacetGroup>>;
  /** Missing for a query without `aggregate` and `group`. */
  aggregates?: SummaryGroups<AggregateGroup>;
}

/** The number of groups up to which `total` is counted. */
export const MOST_COUNTED = 10_000;
