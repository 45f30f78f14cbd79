import type { QueryFieldConfig } from '../config/field-config.js';
import type { SummaryLists } from '../config/summary-lists.js';
import { AGGREGATE_OPERATORS, PERIODS } from '../parse/parsed-summary.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';

/** The schemas of `facets`, `aggregate`, `group` and `timezone`, if the config enables them. */
export function summaryProperties(
  { facetable = [], groupable = [], aggregatable, timeZone }: SummaryLists,
  { maxFacets, maxAggregates, maxGroupKeys, maxGroups }: ResolvedQueryOptions,
  config: QueryFieldConfig,
): Readonly<Record<string, object>> {
  const isDate = (field: string) => isDateColumn(field, config);
  const groups = groupable.flatMap((field) => groupsOf(field, isDate(field)));
  const aggregates = (aggregatable ?? []).flatMap((field) => aggregatesOf(field, isDate(field)));
  const facets = listOf(facetable, maxFacets, FACETS);
  const aggregate = listOf(['count', ...aggregates], maxAggregates, AGGREGATE);
  const group = listOf(groups, maxGroupKeys, groupDescription(maxGroups));
  return {
    ...(facetable.length > 0 && { facets }),
    ...(aggregatable && { aggregate }),
    ...(groupable.length > 0 && { group, timezone: { ...TIME_ZONE, default: timeZone } }),
  };
}

const FACETS =
  'Fields whose values are counted. Returns `facets` with the number of rows for each value. ' +
  'All filters apply, except filters on the counted field.';
const AGGREGATE =
  'Numbers to compute over all rows that match the filters, not over one page. ' +
  'Returns `aggregates`. Dates support only `min` and `max`.';
const TIME_ZONE = {
  type: 'string',
  description: 'IANA time zone for days, weeks, months and years, such as Europe/Berlin.',
};

function groupDescription(maxGroups: number): string {
  return (
    'Fields to group rows by. The rows of each group are counted. Dates require a period: ' +
    `field:${PERIODS.join(', field:')}. Returns \`aggregates\`: up to ${maxGroups} groups ` +
    'with the most rows first, and the total number of groups.'
  );
}

function aggregatesOf(field: string, isDate: boolean | undefined): string[] {
  const operators = isDate ? (['min', 'max'] as const) : AGGREGATE_OPERATORS;
  return operators.flatMap((operator) => (operator === 'count' ? [] : `${operator}:${field}`));
}

function groupsOf(field: string, isDate: boolean | undefined): string[] {
  const periods = PERIODS.map((period) => `${field}:${period}`);
  if (isDate === undefined) return [field, ...periods];
  return isDate ? periods : [field];
}

/** Reads declared types and Drizzle columns. Returns undefined if only the ORM has the type. */
function isDateColumn(field: string, config: QueryFieldConfig): boolean | undefined {
  const column: unknown = 'columns' in config ? config.columns[field] : undefined;
  const record = typeof column === 'object' && column !== null ? column : {};
  const { type, columnType = type } = record as { type?: unknown; columnType?: unknown };
  // A string is a type or a property path. The string is a path if it equals the name of the field.
  const named = typeof column === 'string' && column !== field ? column : columnType;
  if (named === 'date' || named === 'timestamp') return true;
  if (typeof column === 'string' && !TYPES.has(column)) return undefined;
  return typeof named === 'string' ? /Date|Timestamp/.test(named) : undefined;
}

const TYPES = new Set('string integer bigint number decimal boolean time uuid objectId'.split(' '));

function listOf(names: readonly string[], maxItems: number, description: string): object {
  return { type: 'array', items: { type: 'string', enum: names }, maxItems, description };
}
