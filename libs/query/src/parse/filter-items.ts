import { type AllowedFilter, type AllowLists, allows } from '../config/allow-lists.js';
import {
  FILTER_OPERATORS,
  type FilterOperator,
  OPT_IN_OPERATORS,
  type OptInOperator,
} from '../config/operators.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { QueryProblem } from '../query.errors.js';
import { isLongerThan } from './code-points.js';
import { type Findings, shortened } from './findings.js';
import { splitList } from './list-value.js';
import type { FilterItem } from './parsed-query.js';
import { membersOf } from './wire-query.js';

type AnyFilter = FilterItem<string, OptInOperator>;

/** The allowed filters in the order of the query. The first two colons of an item separate its parts. */
export function filterItemsOf(
  value: unknown,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): AnyFilter[] {
  const filters: AnyFilter[] = [];
  for (const member of membersOf(value)) {
    const item = filterItemOf(member, lists, options, findings);
    if (item === undefined) continue;
    if (filters.length === options.maxFilters) {
      findings.refuse({
        kind: 'filter',
        reason: 'too-many',
        expected: `at most ${options.maxFilters} filters`,
      });
      break;
    }
    filters.push(item);
  }
  return filters;
}

function filterItemOf(
  member: unknown,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): AnyFilter | undefined {
  const text = typeof member === 'string' ? member.toWellFormed() : '';
  const first = text.indexOf(':');
  const second = first < 1 ? -1 : text.indexOf(':', first + 1);
  if (second === -1) {
    findings.drop({ kind: 'filter', reason: 'malformed', expected: 'field:operator:value' });
    return undefined;
  }
  const allowed =
    lists.filters === undefined
      ? openFilterOf(text.slice(0, first), text.slice(first + 1, second))
      : lists.filters.get(text.slice(0, second));
  if (
    allowed === undefined ||
    (isOptIn(allowed.operator) && !options.operators.has(allowed.operator))
  ) {
    findings.drop(notAllowed(text.slice(0, first), text.slice(first + 1, second), lists));
    return undefined;
  }
  const { field, operator } = allowed;
  const value = text.slice(second + 1);
  if (value === '') {
    findings.drop({ kind: 'filter', field: shortened(field), operator, reason: 'empty-value' });
    return undefined;
  }
  const item = { field, operator, value };
  // A shorter value is within both limits: a list has a comma between two items.
  const mayExceed = value.length >= options.maxListItems || value.length > options.maxValueLength;
  if (mayExceed) refuseOversized(item, options, findings);
  return item;
}

const OPERATORS: ReadonlyMap<string, FilterOperator | OptInOperator> = new Map(
  [...FILTER_OPERATORS, ...OPT_IN_OPERATORS].map((operator) => [operator, operator]),
);

function openFilterOf(field: string, name: string): AllowedFilter | undefined {
  const operator = OPERATORS.get(name);
  return operator !== undefined && allows(undefined, field) ? { field, operator } : undefined;
}

function notAllowed(field: string, operator: string, { filterable }: AllowLists): QueryProblem {
  return allows(filterable, field)
    ? {
        kind: 'filter',
        field: shortened(field),
        operator: shortened(operator),
        reason: 'unknown-operator',
      }
    : { kind: 'filter', field: shortened(field), reason: 'field-not-allowed' };
}

function isOptIn(operator: FilterOperator | OptInOperator): operator is OptInOperator {
  return operator === 'nin' || operator === 'isnull';
}

function refuseOversized(
  { field, operator, value }: AnyFilter,
  { maxListItems, maxValueLength }: ResolvedQueryOptions,
  findings: Findings,
): void {
  const isList = operator === 'in' || operator === 'nin' || operator === 'between';
  const values = isList ? splitList(value) : [value];
  const problem = { kind: 'filter', field: shortened(field), operator } as const;
  if (values.length > maxListItems) {
    findings.refuse({ ...problem, reason: 'too-many', expected: `at most ${maxListItems} items` });
  } else if (values.some((text) => isLongerThan(text, maxValueLength))) {
    const expected = `at most ${maxValueLength} characters`;
    findings.refuse({ ...problem, reason: 'too-long', expected });
  }
}
