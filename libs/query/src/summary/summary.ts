/**
 * A value of a group. Decimals, 64-bit integers, dates and timestamps are exact strings. Dates have
 * ISO 8601 format.
 */
export type SummaryValue = string | number | boolean | null;

/** The groups with the most rows, up to `limits.maxGroups`. */
export interface SummaryGroups<Group> {
  /**
   * Sorted by the number of rows, largest first. Groups of equal size are sorted by their values,
   * NULL first.
   */
  groups: Group[];
  /** The total number of groups. Counting stops at 10,000. */
  total: number;
}

/** A value of a facet, and the number of rows with this value. */
export interface FacetGroup {
  value: SummaryValue;
  count: number;
}

/** Rows with the same values in the fields of `group`. */
export interface AggregateGroup {
  /**
   * The values. The keys are fields. Periods look like `2026-01-31`, `2026-W05`, `2026-01` and
   * `2026`. Empty if the query has no `group`.
   */
  group: Record<string, SummaryValue>;
  /** The number of rows. */
  count: number;
  /**
   * The sums. The keys are fields. `sum`, `avg`, `min` and `max` ignore NULL. They are null if all
   * values are NULL.
   */
  sum?: Record<string, SummaryValue>;
  /** The averages, with up to ten digits after the point. The keys are fields. */
  avg?: Record<string, SummaryValue>;
  min?: Record<string, SummaryValue>;
  max?: Record<string, SummaryValue>;
}

/** The result of `summarize` for `facets`, `aggregate` and `group`. */
export interface Summary {
  /**
   * The facets. The keys are fields. The counts of a field ignore the filters on the same field.
   * Missing if the query has no `facets`.
   */
  facets?: Record<string, SummaryGroups<FacetGroup>>;
  /** Missing if the query has neither `aggregate` nor `group`. */
  aggregates?: SummaryGroups<AggregateGroup>;
}

/** The limit of `total`. */
export const MOST_COUNTED = 10_000;
