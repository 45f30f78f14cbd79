import type { ColumnValue } from '../resolve/column.js';
import type { QueryRelation } from '../resolve/relation.js';
import type { Condition, ResolvedFilter, TextFilter } from '../resolve/resolved-query.js';
import { columnSql, hasSql } from './column-sql.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from './like-pattern.js';
import { exceedsReal, joined, operandSql, type Sql, type SqlWriter } from './sql-writer.js';

/** @param of the relation to the row that the condition checks. @default the row itself */
export function conditionSql<Part extends object>(
  condition: Condition,
  writer: SqlWriter<Part>,
  of?: QueryRelation,
): Sql<Part> {
  if ('conditions' in condition) {
    const parts = condition.conditions.map((part) => conditionSql(part, writer, of));
    return ['(', ...joined(parts, ` ${condition.kind} `), ')'];
  }
  if (condition.kind === 'exists') {
    const { relation, negated } = condition;
    const inner = conditionSql(condition.condition, writer, relation);
    return [negated ? 'not exists ' : 'exists ', ...writer.related(relation, inner)];
  }
  return filterSql(condition, writer, of);
}

function filterSql<Part extends object>(
  filter: ResolvedFilter,
  writer: SqlWriter<Part>,
  of: QueryRelation | undefined,
): Sql<Part> {
  if (filter.kind === 'has') return hasSql(filter, writer, of);
  const column = columnSql(filter.column, writer, of);
  const operand = (value: ColumnValue) => operandSql(value, filter.column, writer);
  switch (filter.kind) {
    case 'compare':
      return [...column, ` ${COMPARISONS[filter.operator]} `, ...operand(filter.value)];
    case 'between':
      return [...column, ' between ', ...operand(filter.from), ' and ', ...operand(filter.to)];
    case 'in':
      return listSql(filter, column, operand);
    case 'text':
      return textSql(filter, column, writer);
    case 'null':
      return [...column, filter.isNull ? ' is null' : ' is not null'];
    case 'nothing':
      return ['1 = 0'];
  }
}

function listSql<Part extends object>(
  { operator, values }: Extract<ResolvedFilter, { kind: 'in' }>,
  column: Sql<Part>,
  operand: (value: ColumnValue) => Sql<Part>,
): Sql<Part> {
  const [listed, between] = operator === 'in' ? [' in (', ' or '] : [' not in (', ' and '];
  const list = (some: readonly ColumnValue[]) => [
    ...[...column, listed, ...joined(some.map(operand), ', '), ')'],
  ];
  const large = values.filter(exceedsReal);
  if (large.length === 0 || large.length === values.length) return list(values);
  // PostgreSQL would compare each value of the list as `double precision`. 0.1 has another value in
  // a column of type `real`.
  const others = values.filter((value) => !exceedsReal(value));
  return ['(', ...list(others), between, ...list(large), ')'];
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function textSql<Part extends object>(
  { operator, text, negated }: TextFilter,
  column: Sql<Part>,
  { value, hasCollations }: SqlWriter<Part>,
): Sql<Part> {
  const like = negated ? 'not like' : 'like';
  return [
    ...['lower(', ...column, hasCollations ? ` ${PG_COLLATION}` : '', `) ${like} lower(`],
    ...[value(likePattern(operator, text)), `) escape '${LIKE_ESCAPE}'`],
  ];
}
