import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { compareValues } from '../resolve/compare-values.js';
import { queryConditions } from '../resolve/query-conditions.js';
import type {
  CompareFilter,
  Condition,
  HasFilter,
  InFilter,
  ResolvedQuery,
  TextFilter,
} from '../resolve/resolved-query.js';
import { relatedRowsOf, rowItemsOf, rowValueOf } from './row-value.js';

export type Predicate = (row: object) => boolean;

/** The predicate that `search` of a config returns. */
export type OwnPredicate = (row: never) => boolean;

/** @param own the condition of the config's `search` */
export function queryPredicate(query: ResolvedQuery, own?: OwnPredicate): Predicate {
  const all = queryConditions(query).map(conditionPredicate);
  if (own) all.push(own as Predicate);
  return (row) => all.every((holds) => holds(row));
}

/** NULL matches only IS NULL. */
export function conditionPredicate(condition: Condition): Predicate {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map(conditionPredicate);
      if (condition.kind === 'and') return (row) => parts.every((holds) => holds(row));
      return (row) => parts.some((holds) => holds(row));
    }
    case 'exists': {
      const { relation, negated } = condition;
      const holds = conditionPredicate(condition.condition);
      return (row) => relatedRowsOf(row, relation).some(holds) !== negated;
    }
    case 'nothing':
      return () => false;
    case 'null': {
      const read = condition.column.array === true ? rowItemsOf : rowValueOf;
      return (row) => (read(row, condition.column) === null) === condition.isNull;
    }
    case 'has':
      return hasPredicate(condition);
    case 'compare':
      return comparePredicate(condition);
    case 'text':
      return textPredicate(condition);
    case 'between': {
      const { column, from, to } = condition;
      return (row) => {
        const value = rowValueOf(row, column);
        if (value === null) return false;
        return compareValues(value, from, column) >= 0 && compareValues(value, to, column) <= 0;
      };
    }
    case 'in':
      return inPredicate(condition);
  }
}

function hasPredicate({ column, values, negated }: HasFilter): Predicate {
  return (row) => {
    const items = rowItemsOf(row, column);
    return (
      items !== null && items.some((item) => isAmong(item, values, column)) !== (negated === true)
    );
  };
}

function inPredicate({ column, values, operator }: InFilter): Predicate {
  return (row) => {
    const value = rowValueOf(row, column);
    return value !== null && isAmong(value, values, column) === (operator === 'in');
  };
}

function isAmong(value: ColumnValue, values: readonly ColumnValue[], column: QueryColumn): boolean {
  return values.some((item) => compareValues(value, item, column) === 0);
}

const HOLDS: Readonly<Record<CompareFilter['operator'], (order: number) => boolean>> = {
  eq: (order) => order === 0,
  neq: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

function comparePredicate({ column, operator, value }: CompareFilter): Predicate {
  const holds = HOLDS[operator];
  return (row) => {
    const own = rowValueOf(row, column);
    return own !== null && holds(compareValues(own, value, column));
  };
}

function textPredicate({ column, operator, text, negated }: TextFilter): Predicate {
  const part = asciiLower(text);
  const holds = (own: string): boolean => {
    if (operator === 'ieq') return own === part;
    if (operator === 'starts') return own.startsWith(part);
    return operator === 'ends' ? own.endsWith(part) : own.includes(part);
  };
  return (row) => {
    const value = rowValueOf(row, column);
    return typeof value === 'string' && holds(asciiLower(value)) === !negated;
  };
}

/** Converts only ASCII letters to lower case. Database engines differ for other letters. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
