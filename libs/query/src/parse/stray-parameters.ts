import { nearestTo } from '@fledge-internal/options';
import type { AllowLists } from '../config/allow-lists.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import { type Findings, shortened } from './findings.js';
import { PARAMETERS, type WireQuery } from './query-parameters.js';

/**
 * In strict mode, rejects parameters that look like mistakes. Examples are a filterable field as
 * parameter (`?status=open`), a misspelled parameter, and `where` if the list ignores it. The
 * handler may use other parameters.
 */
export function refuseStrayParameters(
  query: unknown,
  { filterable, selectable, summary }: AllowLists,
  { where, cursors }: ResolvedQueryOptions,
  findings: Findings,
): void {
  if (typeof query !== 'object' || query === null) return;
  const answered = summaryNames(summary);
  const read: Name[] = ['filter', 'sort', 'limit', cursors ? 'after' : 'page'];
  if (cursors) read.push('before');
  if (where) read.push('where');
  if (selectable !== undefined) read.push('fields');
  read.push(...answered);
  for (const key of Object.keys(query)) {
    const name = key.replace(/\[.*$/s, '');
    if (name === 'where' && !where) {
      const expected = '`filter` instead of `where`';
      findings.refuse({ kind: 'where', reason: 'not-expressible', expected });
    }
    if (Object.hasOwn(PARAMETERS, name) || answered.includes(name as SummaryName)) continue;
    if (filterable?.has(name)) {
      const field = shortened(name);
      findings.refuse({
        kind: 'filter',
        field,
        reason: 'malformed',
        expected: `filter=${field}:eq:value`,
      });
      continue;
    }
    const meant = meantBy(name, read);
    if (meant === undefined) continue;
    const expected = `\`${meant}\` instead of "${shortened(name)}"`;
    findings.refuse({ kind: KINDS[meant], reason: 'malformed', expected });
  }
}

/**
 * Returns the parameter that the client probably meant. The name of this parameter is at most one
 * letter longer or shorter. Other names, such as `afterDate`, may belong to the handler.
 */
function meantBy(name: string, read: readonly Name[]): Name | undefined {
  if (name.length < 4) return undefined;
  const similar = read.filter(({ length }) => Math.abs(length - name.length) <= 1);
  const nearest = nearestTo(name, similar);
  return similar.find((each) => each === nearest);
}

const SUMMARY = {
  facets: 'facets',
  aggregate: 'aggregate',
  group: 'group',
  timezone: 'timezone',
} as const;
const KINDS = { ...PARAMETERS, ...SUMMARY };

type SummaryName = keyof typeof SUMMARY;
type Name = keyof WireQuery | SummaryName;

function summaryNames(lists: AllowLists['summary']): SummaryName[] {
  if (lists === undefined) return [];
  return [
    ...(lists.facetable ? (['facets'] as const) : []),
    ...(lists.aggregatable ? (['aggregate'] as const) : []),
    ...(lists.groupable ? (['group', 'timezone'] as const) : []),
  ];
}
