import { nearestTo } from '@fledge-internal/options';
import type { AllowLists } from '../config/allow-lists.js';
import type { ResolvedQueryOptions } from '../query.defaults.js';
import { type Findings, shortened } from './findings.js';
import { PARAMETERS, type WireQuery } from './query-parameters.js';

/**
 * Reports parameters that contain an unencoded `]=` in their value. In strict mode, also rejects
 * parameters that look like mistakes. Examples are a filterable field as parameter
 * (`?status=open`), a misspelled parameter, and `where` if the list ignores it. The handler may use
 * other parameters.
 */
export function findStrayParameters(
  query: WireQuery,
  lists: AllowLists,
  options: ResolvedQueryOptions,
  findings: Findings,
): void {
  if (!options.strict && options.onReject === undefined) return;
  const answered = summaryNames(lists.summary);
  const read = [...listNames(lists, options), ...answered];
  for (const key of Object.keys(query)) {
    // Express' extended parser ends a name at the first `]=`: `filter=title:eq:[a]=b` becomes the
    // name `filter=title:eq:`.
    const cut = key.includes('=') && read.find((name) => key.startsWith(`${name}=`));
    if (cut) {
      const expected = 'percent-encoding of `[`, `]` and `=` in the value';
      findings.drop({ kind: KINDS[cut], reason: 'malformed', expected });
      continue;
    }
    const name = key.replace(/\[.*$/s, '');
    if (!options.strict || answered.includes(name as SummaryName)) continue;
    refuseStray(name, read, { filterable: lists.filterable, where: options.where }, findings);
  }
}

function listNames(
  { selectable }: AllowLists,
  { where, cursors }: ResolvedQueryOptions,
): readonly Name[] {
  const read: Name[] = ['filter', 'sort', 'limit', 'q', cursors ? 'after' : 'page'];
  if (cursors) read.push('before');
  if (where) read.push('where');
  if (selectable !== undefined) read.push('fields');
  return read;
}

function refuseStray(
  name: string,
  read: readonly Name[],
  { filterable, where }: { readonly filterable: AllowLists['filterable']; readonly where: boolean },
  findings: Findings,
): void {
  if (name === 'where' && !where) {
    const expected = '`filter` instead of `where`';
    findings.refuse({ kind: 'where', reason: 'not-expressible', expected });
  }
  if (Object.hasOwn(PARAMETERS, name)) return;
  if (filterable?.has(name)) {
    const field = shortened(name);
    const expected = `filter=${field}:eq:value`;
    findings.refuse({ kind: 'filter', field, reason: 'malformed', expected });
    return;
  }
  const meant = meantBy(name, read);
  if (meant === undefined) return;
  const expected = `\`${meant}\` instead of "${shortened(name)}"`;
  findings.refuse({ kind: KINDS[meant], reason: 'malformed', expected });
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
