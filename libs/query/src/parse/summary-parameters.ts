import type { SummaryLists } from '../config/summary-lists.js';
import { offsetFormatOf } from '../config/time-zone.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { QueryProblem } from '../query.errors.js';
import { type Findings, shortened } from './findings.js';
import { splitList } from './list-value.js';
import {
  AGGREGATE_OPERATORS,
  type AggregateItem,
  type GroupItem,
  type ParsedSummary,
  PERIODS,
} from './parsed-summary.js';
import { membersOf, type WireQuery } from './query-parameters.js';

type Parameter = 'facets' | 'aggregate' | 'group' | 'timezone';

/**
 * Reads `facets`, `aggregate`, `group` and `timezone`. Returns undefined if the query has none of
 * them. Every error rejects the query, even with `onInvalid: 'drop'`. If one of several group keys
 * were dropped, the numbers would have another meaning.
 */
export function readSummary(
  query: WireQuery,
  { facetable, groupable, aggregatable, timeZone }: SummaryLists,
  { maxFacets, maxAggregates, maxGroupKeys, maxGroups }: ResolvedQueryOptions,
  findings: Findings,
): ParsedSummary | undefined {
  const read = <T extends Item>(
    kind: Parameter,
    limit: number,
    itemOf: (text: string) => T | Fault,
  ) => readItems(textsOf(query, kind, findings), itemOf, { kind, limit, findings });
  const facets = facetable ? read('facets', maxFacets, (text) => facetOf(text, facetable)) : [];
  const aggregates = aggregatable
    ? read('aggregate', maxAggregates, (text) => aggregateOf(text, aggregatable))
    : [];
  const groups = groupable ? read('group', maxGroupKeys, (text) => groupOf(text, groupable)) : [];
  if (facets.length + aggregates.length + groups.length === 0) return undefined;
  return {
    facets: facets.map(({ field }) => field),
    aggregates,
    groups,
    timeZone: readTimeZone(textsOf(query, 'timezone', findings), timeZone, findings),
    limit: maxGroups,
  };
}

interface Fault extends Pick<QueryProblem, 'reason' | 'expected'> {
  readonly field?: string;
}

function facetOf(field: string, list: readonly string[]): { field: string } | Fault {
  return list.includes(field) ? { field } : { field, reason: 'field-not-allowed' };
}

function aggregateOf(text: string, list: readonly string[]): AggregateItem | Fault {
  if (text === 'count') return { operator: 'count' };
  const [name = ''] = text.split(':', 1);
  const operator = AGGREGATE_OPERATORS.find((known) => known === name);
  const field = text.slice(name.length + 1);
  if (operator === undefined || operator === 'count' || field === '') {
    return {
      reason: 'malformed',
      expected: 'count, or sum, avg, min or max with a field, such as sum:amount',
    };
  }
  return list.includes(field) ? { operator, field } : { field, reason: 'field-not-allowed' };
}

function groupOf(text: string, list: readonly string[]): GroupItem | Fault {
  if (list.includes(text)) return { field: text };
  const dot = text.lastIndexOf(':');
  const field = dot === -1 ? text : text.slice(0, dot);
  if (!list.includes(field)) return { field, reason: 'field-not-allowed' };
  const period = PERIODS.find((known) => known === text.slice(dot + 1));
  return period
    ? { field, period }
    : { field, reason: 'malformed', expected: `one of the periods ${PERIODS.join(', ')}` };
}

interface Item {
  readonly field?: string;
  readonly operator?: string;
}

interface Reading {
  readonly kind: Parameter;
  readonly limit: number;
  readonly findings: Findings;
}

function readItems<T extends Item>(
  texts: readonly string[],
  itemOf: (text: string) => T | Fault,
  { kind, limit, findings }: Reading,
): T[] {
  const items: T[] = [];
  for (const text of texts) {
    const item = itemOf(text);
    const { field } = item;
    const named = field === undefined ? {} : { field: shortened(field) };
    if ('reason' in item) findings.refuse({ kind, ...item, ...named });
    else if (items.some((other) => other.field === field && other.operator === item.operator)) {
      findings.refuse({ kind, ...named, reason: 'duplicate' });
    } else if (items.length === limit) {
      findings.refuse({ kind, reason: 'too-many', expected: `at most ${limit} items` });
      break;
    } else items.push(item);
  }
  return items;
}

function readTimeZone(texts: readonly string[], byDefault: string, findings: Findings): string {
  const [timeZone = byDefault, ...others] = texts;
  if (others.length > 0)
    findings.refuse({ kind: 'timezone', reason: 'duplicate', expected: 'one time zone' });
  if (offsetFormatOf(timeZone) !== undefined) return timeZone;
  findings.refuse({
    kind: 'timezone',
    reason: 'invalid-value',
    expected: 'IANA time zone such as Europe/Berlin',
  });
  return byDefault;
}

/** Servers decode the parameter as `name`, `name[]` or `name[0]`. */
function textsOf(query: WireQuery, name: Parameter, findings: Findings): string[] {
  return Object.entries(query)
    .filter(([key]) => key === name || key.startsWith(`${name}[`))
    .flatMap(([, value]) => membersOf(value))
    .flatMap((member) => {
      if (typeof member === 'string') return splitList(member.toWellFormed());
      findings.refuse({ kind: name, reason: 'malformed', expected: 'string' });
      return [];
    });
}
