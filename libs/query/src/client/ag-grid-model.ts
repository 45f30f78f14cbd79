import { filter } from '../build/filter.js';
import { UnbuildableQueryError } from '../query.errors.js';
import { type AgGridColumn, type AgGridCondition, conditionNodeOf } from './ag-grid-condition.js';
import { type AnyNode, conditionAt, unbuildable } from './condition.js';

/** The filter of a column, or of the Advanced Filter. */
export interface AgGridModel extends AgGridCondition {
  readonly colId?: string;
  readonly values?: unknown;
  readonly operator?: string;
  readonly conditions?: readonly AgGridModel[];
  readonly filterModels?: readonly (AgGridModel | null)[] | null;
}

/** The condition of the Advanced Filter. @throws UnbuildableQueryError */
export function advancedNodeOf(
  model: AgGridModel,
  columnOf: (id: string) => AgGridColumn,
): AnyNode {
  const { filterType, type, colId, conditions = [] } = model;
  if (filterType === 'join') {
    const nodes = conditions.map((each) => advancedNodeOf(each, columnOf));
    return groupOf(type, nodes);
  }
  if (colId === undefined) throw new UnbuildableQueryError('filter without colId', 'Set it.');
  return modelNodeOf(colId, model, columnOf(colId));
}

/** The condition of the filter of one column. @throws UnbuildableQueryError */
export function modelNodeOf(id: string, model: AgGridModel, column: AgGridColumn): AnyNode {
  const { filterType, operator, conditions, filterModels } = model;
  if (filterType === 'multi') {
    const models = (filterModels ?? []).filter((each) => each !== null);
    return groupOf(
      'AND',
      models.map((each) => modelNodeOf(id, each, column)),
    );
  }
  if (conditions !== undefined) {
    return groupOf(
      operator,
      conditions.map((each) => modelNodeOf(id, each, column)),
    );
  }
  return filterType === 'set' ? setNodeOf(id, model) : conditionNodeOf(id, model, column);
}

function groupOf(operator: string | null | undefined, nodes: readonly AnyNode[]): AnyNode {
  if (operator === 'OR') return filter.or(...nodes);
  if (operator === 'AND') return filter.and(...nodes);
  throw new UnbuildableQueryError(`group "${operator}"`, 'Join conditions by "AND" or "OR".');
}

/** The values of a Set Filter, of which null stands for blank. */
function setNodeOf(id: string, { type, values }: AgGridModel): AnyNode {
  const place = { column: id, operator: type ?? 'set' };
  const node = listed(place, values);
  if (type === 'isNoneOf') return filter.not(node);
  if (type === undefined || type === 'isAnyOf') return node;
  throw unbuildable(place, 'Use isAnyOf or isNoneOf.');
}

function listed(place: { column: string; operator: string }, values: unknown): AnyNode {
  if (!Array.isArray(values) || !values.includes(null)) return conditionAt(place, 'in', values);
  const blank = filter.isnull(place.column, true);
  const others = values.filter((value) => value !== null);
  return others.length === 0 ? blank : filter.or(blank, conditionAt(place, 'in', others));
}
