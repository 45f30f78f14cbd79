/** A value of a group. Texts are exact: decimals, 64-bit integers, ISO 8601 dates and timestamps. */
export type SummaryValue = string | number | boolean | null;

/** The groups with the most rows, up to `limits.maxGroups`. */
export interface SummaryGroups<Group> {
  /** Most rows first; groups with equal numbers of rows in the order of their values, NULL first. */
  groups: Group[];
  /** The number of all groups, counted up to 10,000. */
  total: number;
}

/** A value of a facet, and how many rows have it. */
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
  /** The sums by field. They leave out NULL, as `avg`, `min` and `max` do, and are null if all values are NULL. */
  sum?: Record<string, SummaryValue>;
  /** The averages by field, with up to ten digits after the point. */
  avg?: Record<string, SummaryValue>;
  min?: Record<string, SummaryValue>;
  max?: Record<string, SummaryValue>;
}

/** What `summarize` answers to `facets`, `aggregate` and `group`. */
export interface Summary {
  /** By field. The counts leave out the filters on the field itself. Missing for a query without `facets`. */
  facets?: Record<string, SummaryGroups<FacetGroup>>;
  /** Missing for a query without `aggregate` and `group`. */
  aggregates?: SummaryGroups<AggregateGroup>;
}

/** Groups that are counted for `total`. */
export const MOST_COUNTED = 10_000;
