import { type AllowLists, allows } from '../config/allow-lists.js';
import { FILTER_OPERATORS, type OptInOperator } from '../config/operators.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import type { QueryProblem } from '../query.errors.js';
import { isLongerThan } from './code-points.js';
import { type Findings, shortened } from './findings.js';
import { splitList } from './list-value.js';
import type { FilterItem } from './parsed-query.js';
import { membersOf } from './query-parameters.js';

export type AnyFilter = FilterItem<string, OptInOperator>;

/** Reads `filter`. The first two colons separate the parts of a filter. */
export function readFilters(
  value: unknown,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): AnyFilter[] {
  const filters: AnyFilter[] = [];
  for (const member of membersOf(value)) {
    const item = readFilter(member, lists, options, findings);
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

function readFilter(
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
  const field = text.slice(0, first);
  const name = text.slice(first + 1, second);
  const operator = allowedOperator(field, name, lists, options);
  if (operator === undefined) {
    findings.drop({ kind: 'filter', ...notAllowed(field, name, lists) });
    return undefined;
  }
  const value = text.slice(second + 1);
  if (value === '') {
    findings.drop({ kind: 'filter', field: shortened(field), operator, reason: 'empty-value' });
    return undefined;
  }
  const item = { field, operator, value };
  const excess = findExcess(item, options);
  if (excess) findings.refuse({ kind: 'filter', field: shortened(field), operator, ...excess });
  return item;
}

const STANDARD: ReadonlySet<string> = new Set(FILTER_OPERATORS);

/** Returns undefined if the operator is unknown or the field is not allowed. */
export function allowedOperator(
  field: string,
  name: string,
  { filterable }: AllowLists,
  { operators }: ResolvedQueryOptions,
): AnyFilter['operator'] | undefined {
  const isKnown =
    (STANDARD.has(name) || (operators as ReadonlySet<string>).has(name)) &&
    allows(filterable, field);
  return isKnown ? (name as AnyFilter['operator']) : undefined;
}

export function notAllowed(
  field: string,
  operator: string,
  { filterable }: AllowLists,
): Omit<QueryProblem, 'kind'> {
  if (!allows(filterable, field)) return { field: shortened(field), reason: 'field-not-allowed' };
  const isWord = WORD.test(operator);
  return { field: shortened(field), ...(isWord && { operator }), reason: 'unknown-operator' };
}

/** Other text is not reported as an operator, because it may be part of a value: `note:Call: 10`. */
const WORD = /^[a-z]{1,12}$/i;

export function findExcess(
  { operator, value }: AnyFilter,
  { maxListItems, maxValueLength }: ResolvedQueryOptions,
): Pick<QueryProblem, 'reason' | 'expected'> | undefined {
  // A short value cannot exceed a limit, because a list has a comma between two items.
  if (value.length < maxListItems && value.length <= maxValueLength) return undefined;
  const isList = operator === 'in' || operator === 'nin' || operator === 'between';
  const values = isList ? splitList(value) : [value];
  if (values.length > maxListItems) {
    return { reason: 'too-many', expected: `at most ${maxListItems} items` };
  }
  if (!values.some((text) => isLongerThan(text, maxValueLength))) return undefined;
  return { reason: 'too-long', expected: `at most ${maxValueLength} characters` };
}
