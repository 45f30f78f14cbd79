import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type { QueryRelation } from '../resolve/relation.js';
import type { Condition, ResolvedFilter, TextFilter } from '../resolve/resolved-query.js';
import { decimalTypeOf } from '../resolve/decimal.js';
import { LIKE_ESCAPE, likePattern, PG_COLLATION } from './like-pattern.js';

/** How an adapter writes the names and values of a query, on the engine of that query. */
export interface SqlWriter<Part extends object> {
  /** @param of the relation of the row that has the column. @default the row itself, or a joined row of a sort key */
  readonly column: (column: QueryColumn, of?: QueryRelation) => Part;
  /** A parameter. The pattern of a text has no column. */
  readonly value: (value: ColumnValue, column?: QueryColumn) => Part | string;
  /**
   * `(select 1 from ...)`: the related rows that meet a condition.
   * @param selected in place of 1
   */
  readonly related: (
    relation: QueryRelation,
    condition: Sql<Part>,
    selected?: Sql<Part>,
  ) => Sql<Part>;
  /** Whether text may have a collation of PostgreSQL. */
  readonly hasCollations: boolean;
  /** Whether the engine compares a decimal with text as floating point, exact to 15 digits only, as MySQL does. */
  readonly comparesAsFloat: boolean;
}

/** @param of the relation of the row that meets the condition. @default the row itself */
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
  return filterSql(condition, writer.column(condition.column, of), writer);
}

function filterSql<Part extends object>(
  filter: ResolvedFilter,
  column: Part,
  writer: SqlWriter<Part>,
): Sql<Part> {
  const operand = (value: ColumnValue) => operandSql(value, filter.column, writer);
  switch (filter.kind) {
    case 'compare':
      return [column, ` ${COMPARISONS[filter.operator]} `, ...operand(filter.value)];
    case 'between':
      return [column, ' between ', ...operand(filter.from), ' and ', ...operand(filter.to)];
    case 'in': {
      const list = joined(filter.values.map(operand), ', ');
      return [column, filter.operator === 'in' ? ' in (' : ' not in (', ...list, ')'];
    }
    case 'text':
      return textSql(filter, column, writer);
    case 'null':
      return [column, filter.isNull ? ' is null' : ' is not null'];
    case 'nothing':
      return ['1 = 0'];
  }
}

const COMPARISONS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function operandSql<Part extends object>(
  value: ColumnValue,
  column: QueryColumn,
  { value: write, comparesAsFloat }: SqlWriter<Part>,
): Sql<Part> {
  const operand = write(value, column);
  const isInexact = comparesAsFloat && column.type === 'decimal';
  const type = isInexact ? decimalTypeOf(String(value)) : undefined;
  return type === undefined ? [operand] : ['cast(', operand, ` as ${type})`];
}

function textSql<Part extends object>(
  { operator, text, negated }: TextFilter,
  column: Part,
  { value, hasCollations }: SqlWriter<Part>,
): Sql<Part> {
  const like = negated ? 'not like' : 'like';
  return [
    ...['lower(', column, hasCollations ? ` ${PG_COLLATION}` : '', `) ${like} lower(`],
    ...[value(likePattern(operator, text)), `) escape '${LIKE_ESCAPE}'`],
  ];
}

/** SQL as text, with the names and values between, as an adapter writes them. */
export type Sql<Part extends object> = readonly (string | Part)[];

/** The parts with a text between them. */
export function joined<Part extends object>(parts: readonly Sql<Part>[], by: string): Sql<Part> {
  return parts.flatMap((part, i) => (i === 0 ? part : [by, ...part]));
}
