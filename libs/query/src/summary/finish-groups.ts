import type { QueryColumn } from '../resolve/column.js';
import { compareValues } from '../resolve/compare-values.js';
import type { PlannedGroups, SummaryPlan } from './plan-summary.js';
import {
  type AggregateGroup,
  type FacetGroup,
  MOST_COUNTED,
  type Summary,
  type SummaryGroups,
  type SummaryValue,
} from './summary.js';

/** A group with values in their final form. */
export interface FinishedGroup {
  readonly keys: readonly SummaryValue[];
  readonly count: number;
  readonly values: readonly SummaryValue[];
}

/** Groups, and the total number of groups. */
export interface FinishedGroups {
  readonly groups: readonly FinishedGroup[];
  readonly total: number;
}

export async function finishSummary(
  { parts, limit }: SummaryPlan,
  groupsOf: (part: PlannedGroups) => Promise<FinishedGroups>,
): Promise<Summary> {
  const facets: [string, SummaryGroups<FacetGroup>][] = [];
  let aggregates: SummaryGroups<AggregateGroup> | undefined;
  // One part at a time, because in a transaction all queries share a connection.
  for (const part of parts) {
    const found = await groupsOf(part);
    const groups = found.groups.toSorted((a, b) => orderOf(a, b, part)).slice(0, limit);
    const total = Math.min(found.total, MOST_COUNTED);
    if (part.facet === undefined) {
      aggregates = { groups: groups.map((group) => aggregateGroupOf(group, part)), total };
    } else {
      const counted = groups.map(({ keys, count }) => ({ value: keys[0] ?? null, count }));
      facets.push([part.facet, { groups: counted, total }]);
    }
  }
  return {
    ...(facets.length > 0 && { facets: Object.fromEntries(facets) }),
    ...(aggregates && { aggregates }),
  };
}

function aggregateGroupOf(
  { keys, count, values }: FinishedGroup,
  part: PlannedGroups,
): AggregateGroup {
  const group = Object.fromEntries(part.keys.map(({ field }, i) => [field, keys[i] ?? null]));
  const found: AggregateGroup = { group, count };
  for (const [i, { operator, field }] of part.aggregates.entries()) {
    (found[operator] ??= {})[field] = values[i] ?? null;
  }
  return found;
}

/** Largest first. Groups of equal size are sorted by their values, NULL first. */
function orderOf(a: FinishedGroup, b: FinishedGroup, { keys }: PlannedGroups): number {
  if (a.count !== b.count) return b.count - a.count;
  for (const [i, { column, period }] of keys.entries()) {
    const [left, right] = [a.keys[i] ?? null, b.keys[i] ?? null];
    if (left === null && right === null) continue;
    if (left === null || right === null) return left === null ? -1 : 1;
    const order = compareValues(left, right, period ? NAME : column);
    if (order !== 0) return order;
  }
  return 0;
}

/** The names of periods have chronological order when they are sorted as strings. */
const NAME: QueryColumn = { name: '', type: 'string' };
