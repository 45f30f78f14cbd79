import type { Condition } from '../cursor/keyset.js';
import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import type {
  CompareFilter,
  InFilter,
  NothingFilter,
  NullFilter,
  ResolvedFilter,
} from '../resolve/resolved-query.js';
import { type PrismaProvider, textFilterOf } from './prisma-text.js';

/** `where` of a Prisma query, of any model. */
export type PrismaWhere = Readonly<Record<string, unknown>>;

const COMPARISONS = {
  eq: 'equals',
  neq: 'not',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
} as const;

/** @throws InvalidQueryError for what the engine cannot be asked */
export function whereOf(filter: Condition, provider: PrismaProvider): PrismaWhere {
  if ('conditions' in filter) {
    const conditions = filter.conditions.map((condition) => whereOf(condition, provider));
    return filter.kind === 'and' ? { AND: conditions } : { OR: conditions };
  }
  const { column } = filter;
  if (filter.kind === 'nothing') return noRow(column);
  if (filter.kind === 'null') return nullityOf(filter);
  if (filter.kind === 'in' && column.type === 'boolean') return amongBooleans(filter);
  return at(column.name, conditionOf(filter, column, provider));
}

/** Holds for no row. Prisma has no `in` for booleans, and leaves out an empty OR within an AND. */
function noRow({ name, type }: QueryColumn): PrismaWhere {
  if (type !== 'boolean') return at(name, { in: [] });
  return { AND: [true, false].map((value) => at(name, { equals: value })) };
}

/** Prisma refuses to compare a required field with null. */
function nullityOf({ column, isNull }: NullFilter): PrismaWhere {
  const { name, nullable } = column;
  if (nullable === false) return isNull ? noRow(column) : {};
  const there = at(name, { not: null });
  if (!isNull) return there;
  // A row without the relation has no value either, which `owner: { name: null }` would miss.
  return name.includes('.') ? { NOT: there } : at(name, { equals: null });
}

/** Prisma has no `in` for booleans. */
function amongBooleans({ column, operator, values }: InFilter): PrismaWhere {
  return operator === 'in'
    ? { OR: values.map((value) => at(column.name, { equals: value })) }
    : { AND: values.map((value) => at(column.name, { not: value })) };
}

/** A value at a dotted path: `owner.name` gives `{ owner: { name: value } }`. */
export function at(path: string, value: unknown): PrismaWhere {
  return path
    .split('.')
    .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as PrismaWhere;
}

function conditionOf(
  filter: Exclude<ResolvedFilter, NullFilter | NothingFilter>,
  column: QueryColumn,
  provider: PrismaProvider,
): PrismaWhere {
  switch (filter.kind) {
    case 'compare':
      if (column.type === 'enum' && column.asText === false) return amongEnum(filter);
      return { [COMPARISONS[filter.operator]]: valueOf(filter.value, column) };
    case 'between':
      return { gte: valueOf(filter.from, column), lte: valueOf(filter.to, column) };
    case 'in':
      return {
        [filter.operator === 'in' ? 'in' : 'notIn']: filter.values.map((value) =>
          valueOf(value, column),
        ),
      };
    case 'text': {
      const { field, operator, text } = filter;
      return textFilterOf(operator, text, provider, {
        kind: 'filter',
        field,
        operator,
      }) as PrismaWhere;
    }
  }
}

/** Prisma has no `gt` for an enum of the schema, but the database orders it as `values` does. */
function amongEnum({ column, operator, value }: CompareFilter): PrismaWhere {
  const { values = [] } = column;
  const place = values.indexOf(String(value));
  switch (operator) {
    case 'eq':
    case 'neq':
      return { [COMPARISONS[operator]]: value };
    case 'gt':
    case 'gte':
      return { in: values.slice(operator === 'gt' ? place + 1 : place) };
    case 'lt':
    case 'lte':
      return { in: values.slice(0, operator === 'lt' ? place : place + 1) };
  }
}

/** Prisma has but one type for days, times and moments. */
function valueOf(value: ColumnValue, { type }: QueryColumn): unknown {
  if (type === 'date') return new Date(`${String(value)}T00:00:00Z`);
  if (type === 'time') return new Date(`1970-01-01T${String(value)}Z`);
  return value;
}
