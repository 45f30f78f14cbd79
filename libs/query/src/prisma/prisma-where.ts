import type { ColumnValue, QueryColumn } from '../resolve/column.js';
import { nestedAtPath } from '../resolve/property-path.js';
import type {
  Condition,
  CompareFilter,
  ExistsCondition,
  HasFilter,
  InFilter,
  NothingFilter,
  NullFilter,
  ResolvedFilter,
  TextFilter,
} from '../resolve/resolved-query.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';

/** The `where` of a query of any model. */
export type PrismaWhere = Readonly<Record<string, unknown>>;

const COMPARISONS = {
  eq: 'equals',
  neq: 'not',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
} as const;

/** The query parameter with the condition, for error messages. */
type Parameter = 'filter' | 'where' | 'search';

/** @throws InvalidQueryError if Prisma cannot express a condition on this engine */
export function prismaWhere(
  filter: Condition,
  provider: PrismaProvider,
  parameter: Parameter = 'filter',
): PrismaWhere {
  if ('conditions' in filter) {
    const conditions = filter.conditions.map((each) => prismaWhere(each, provider, parameter));
    return filter.kind === 'and' ? { AND: conditions } : { OR: conditions };
  }
  if (filter.kind === 'exists') {
    return relatedOf(filter, prismaWhere(filter.condition, provider, parameter));
  }
  const { column } = filter;
  // Never reached, because a config with such a column is rejected earlier.
  if (filter.kind === 'has') return {};
  if (filter.kind === 'nothing') return noRow(column);
  if (filter.kind === 'null') return nullityOf(filter);
  if (filter.kind === 'in' && column.type === 'boolean') return amongBooleans(filter);
  return nestedAtPath(column.name, conditionOf(filter, provider, parameter));
}

/** Excludes rows without a related row, because `NOT` around a relation would match these rows. */
function relatedOf({ relation, negated }: ExistsCondition, inner: PrismaWhere): PrismaWhere {
  const { name, many } = relation;
  if (many) return { [name]: { [negated ? 'none' : 'some']: inner } };
  const one = { [name]: { is: inner } };
  return negated ? { NOT: one } : one;
}

/** Prisma has no `in` for booleans, and ignores an empty OR inside an AND. */
function noRow({ name, type }: QueryColumn): PrismaWhere {
  if (type !== 'boolean') return nestedAtPath(name, { in: [] });
  return { AND: [true, false].map((value) => nestedAtPath(name, { equals: value })) };
}

/** Prisma rejects a comparison of a required field with null. */
function nullityOf({ column, isNull }: NullFilter): PrismaWhere {
  const { name, nullable } = column;
  const isNotNull = nullable === false ? anyRow(column) : nestedAtPath(name, { not: null });
  if (!isNull) return isNotNull;
  // Needed because `owner: { name: null }` does not match rows without an owner.
  if (name.includes('.')) return { NOT: isNotNull };
  return nullable === false ? noRow(column) : nestedAtPath(name, { equals: null });
}

/** If the name is dotted, matches only rows that have the related row. */
function anyRow(column: QueryColumn): PrismaWhere {
  const dot = column.name.lastIndexOf('.');
  const inner = { NOT: noRow({ ...column, name: column.name.slice(dot + 1) }) };
  return dot === -1 ? inner : nestedAtPath(column.name.slice(0, dot), inner);
}

/** Prisma has no `in` for booleans. */
function amongBooleans({ column, operator, values }: InFilter): PrismaWhere {
  return operator === 'in'
    ? { OR: values.map((value) => nestedAtPath(column.name, { equals: value })) }
    : { AND: values.map((value) => nestedAtPath(column.name, { not: value })) };
}

function conditionOf(
  filter: Exclude<ResolvedFilter, NullFilter | NothingFilter | HasFilter>,
  provider: PrismaProvider,
  kind: Parameter,
): PrismaWhere {
  const { column } = filter;
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
      const { field, operator, text, negated } = filter;
      const origin = kind === 'search' ? { kind } : { kind, field, operator };
      const { mode, ...found } = textFilterOf(operator, text, provider, origin);
      return { ...(negated ? { not: found } : found), ...(mode && { mode }) };
    }
  }
}

/** Prisma has no `gt` for schema enums. The database sorts the enum in the order of `values`. */
function amongEnum({ column, operator, value }: CompareFilter): PrismaWhere {
  const { values = [] } = column;
  const index = values.indexOf(String(value));
  switch (operator) {
    case 'eq':
    case 'neq':
      return { [COMPARISONS[operator]]: value };
    case 'gt':
    case 'gte':
      return { in: values.slice(operator === 'gt' ? index + 1 : index) };
    case 'lt':
    case 'lte':
      return { in: values.slice(0, operator === 'lt' ? index : index + 1) };
  }
}

/** Prisma requires a Date even for `date` and `time` columns. */
function valueOf(value: ColumnValue, { type }: QueryColumn): unknown {
  if (type === 'date') return new Date(`${String(value)}T00:00:00Z`);
  if (type === 'time') return new Date(`1970-01-01T${String(value)}Z`);
  return value;
}

/** The option `provider` of a datasource in the Prisma schema. */
export type PrismaProvider = 'postgresql' | 'cockroachdb' | 'mysql' | 'sqlite';

/** A condition of Prisma on a string. `mode` must be outside `not`. */
interface TextWhere extends Readonly<Record<string, unknown>> {
  readonly mode?: 'insensitive';
}

const NAMES = {
  contains: 'contains',
  starts: 'startsWith',
  ends: 'endsWith',
  ieq: 'equals',
} as const;

/**
 * Prisma writes LIKE without ESCAPE. Wildcards are therefore escaped with the engine's default
 * escape character. SQLite has no default, so strings with wildcards are rejected on SQLite.
 * @param origin the filter or the search that contains the string, for error messages
 * @throws InvalidQueryError
 */
function textFilterOf(
  operator: TextFilter['operator'],
  text: string,
  provider: PrismaProvider,
  origin: Pick<QueryProblem, 'kind' | 'field' | 'operator'>,
): TextWhere {
  switch (provider) {
    case 'postgresql':
    case 'cockroachdb':
      // With this mode, Prisma also treats the value of `equals` as a pattern.
      return { [NAMES[operator]]: escaped(text), mode: 'insensitive' };
    case 'mysql':
      // Prisma has no `mode` for MySQL. The collation decides whether case matters.
      return { [NAMES[operator]]: operator === 'ieq' ? text : escaped(text) };
    case 'sqlite':
      if (operator === 'ieq') {
        // Not escaped, because `equals` does not use LIKE.
        const expected = 'the operator `eq`, which compares exactly';
        throw new InvalidQueryError([{ ...origin, reason: 'not-expressible', expected }]);
      }
      if (!/[%_]/.test(text)) return { [NAMES[operator]]: text };
      throw new InvalidQueryError([
        { ...origin, reason: 'not-expressible', expected: 'string without % and _' },
      ]);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
