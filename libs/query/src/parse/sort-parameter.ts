import { type AllowLists, allows } from '../config/allow-lists.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import { defaultSortOf } from './default-sort.js';
import { type Findings, shortened } from './findings.js';
import type { SortItem } from './parsed-query.js';
import { membersOf } from './query-parameters.js';

/** Reads `sort`. Drops the second item for a field. Without items, returns the default order. */
export function readSort(
  value: unknown,
  lists: AllowLists,
  { maxSort }: ResolvedQueryOptions,
  findings: Findings,
): SortItem[] {
  const sort: SortItem[] = [];
  for (const member of membersOf(value)) {
    const item = readSortItem(member, lists, findings);
    if (item === undefined) continue;
    if (sort.some(({ field }) => field === item.field)) {
      findings.drop({ kind: 'sort', field: shortened(item.field), reason: 'duplicate' });
    } else if (sort.length === maxSort) {
      findings.drop({ kind: 'sort', reason: 'too-many', expected: `at most ${maxSort} items` });
      break;
    } else sort.push(item);
  }
  return sort.length === 0 ? defaultSortOf(lists.defaultOrder) : sort;
}

function readSortItem(
  member: unknown,
  lists: AllowLists,
  findings: Findings,
): SortItem | undefined {
  const text = typeof member === 'string' ? member.toWellFormed() : '';
  const direction = directionOf(text);
  // Field names in a list may contain colons. The direction therefore comes after the last colon.
  const field = direction === undefined ? '' : text.slice(0, -direction.length - 1);
  // Without a config, we cannot tell which of several colons ends the field.
  const ambiguous = lists.sortable === undefined && field.includes(':');
  if (field === '' || direction === undefined || ambiguous) {
    findings.drop({ kind: 'sort', reason: 'malformed', expected: 'field:asc or field:desc' });
    return undefined;
  }
  if (allows(lists.sortable, field)) return { field, direction };
  findings.drop({ kind: 'sort', field: shortened(field), reason: 'field-not-allowed' });
  return undefined;
}

function directionOf(text: string): 'asc' | 'desc' | undefined {
  if (/:asc$/i.test(text)) return 'asc';
  return /:desc$/i.test(text) ? 'desc' : undefined;
}
