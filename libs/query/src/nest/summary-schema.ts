import type { SummaryLists } from '../config/summary-lists.js';
import { AGGREGATE_OPERATORS, PERIODS } from '../parse/parsed-summary.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';

/** The schemas of `facets`, `aggregate`, `group` and `timezone`, each if its list has fields. */
export function summaryProperties(
  { facetable = [], groupable = [], aggregatable, timeZone }: SummaryLists,
  { maxFacets, maxAggregates, maxGroupKeys, maxGroups }: ResolvedQueryOptions,
): Readonly<Record<string, object>> {
  const facets = listOf(facetable, maxFacets, FACETS);
  const aggregate = listOf(aggregatesOf(aggregatable), maxAggregates, AGGREGATE);
  const group = listOf(groupable.flatMap(groupsOf), maxGroupKeys, groupDescription(maxGroups));
  return {
    ...(facetable.length > 0 && { facets }),
    ...(aggregatable && { aggregate }),
    ...(groupable.length > 0 && { group, timezone: { ...TIME_ZONE, default: timeZone } }),
  };
}

const FACETS =
  'Fields whose values are counted. Returns `facets` with the number of rows for each value. ' +
  'The filters apply, except those on the field itself.';
const AGGREGATE =
  'Numbers to compute of all rows that match the filters, not of one page. Returns `aggregates`. ' +
  'Dates have min and max only.';
const TIME_ZONE = {
  type: 'string',
  description: 'IANA time zone of days, weeks, months and years, such as Europe/Berlin.',
};

function groupDescription(maxGroups: number): string {
  return (
    'Fields by which rows are grouped; counts the rows of each group. Dates need a period: ' +
    `field:${PERIODS.join(', field:')}. Returns \`aggregates\`: at most ${maxGroups} groups, those with the most rows ` +
    'first, and their total.'
  );
}

function aggregatesOf(fields: readonly string[] = []): string[] {
  const operators = AGGREGATE_OPERATORS.filter((operator) => operator !== 'count');
  return [
    'count',
    ...fields.flatMap((field) => operators.map((operator) => `${operator}:${field}`)),
  ];
}

function groupsOf(field: string): string[] {
  return [field, ...PERIODS.map((period) => `${field}:${period}`)];
}

function listOf(names: readonly string[], maxItems: number, description: string): object {
  return { type: 'array', items: { type: 'string', enum: names }, maxItems, description };
}
