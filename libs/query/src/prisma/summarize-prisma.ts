import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from '../resolve/column.js';
import { pathOfColumn } from '../resolve/relation.js';
import type { QuerySpec } from '../resolve/resolved-query.js';
import { isDate } from '../resolve/summary-columns.js';
import type { GroupedQuery, GroupedRow, Measure, ReadGroups } from '../summary/read-summary.js';
import { MOST_COUNTED } from '../summary/summary.js';
import type { PrismaWhere } from './prisma-where.js';

/**
 * The model to summarize: `prisma.task`. The types are general, because they must fit the generated
 * client of every model.
 */
export interface PrismaSummarySource {
  groupBy(args: never): PromiseLike<object[]>;
  aggregate(args: never): PromiseLike<object>;
}

/**
 * Rejects a config without a primary key. Prisma's `groupBy` does not support fields of related
 * rows and periods, so they are also rejected.
 * @throws InvalidQueryConfigError
 */
export function checkSummary({ summary, primaryKey = [] }: QuerySpec): void {
  if (summary === undefined) return;
  for (const list of ['facetable', 'groupable', 'aggregatable'] as const) {
    for (const [field, column] of Object.entries(summary[list])) checkColumn(list, field, column);
  }
  if (primaryKey.length > 0) return;
  throw new InvalidQueryConfigError(
    'A Prisma query config has `facetable`, `groupable` or `aggregatable`, but no `primaryKey`.',
    'Set `primaryKey`. Prisma counts the key values to order the groups.',
  );
}

function checkColumn(list: string, field: string, column: QueryColumn): void {
  const path = pathOfColumn(column);
  if (path.includes('.')) {
    throw new InvalidQueryConfigError(
      `\`${list}\` contains "${field}", which is a field of a related row. ` +
        'groupBy() of Prisma does not support related rows.',
      'Remove the field, or use the field of the listed row that refers to the related row.',
    );
  }
  if (list !== 'groupable' || !isDate(column)) return;
  throw new InvalidQueryConfigError(
    `\`groupable\` contains "${field}", which has the type ${column.type}. ` +
      'Dates are grouped by day, week, month or year, and groupBy() of Prisma does not support this.',
    'Remove the field, or summarize with another adapter, such as @fledge/query/kysely.',
  );
}

interface PrismaGroup extends Readonly<Record<string, unknown>> {
  readonly _count?: Readonly<Record<string, unknown>>;
}

export function groupReader(
  rows: PrismaSummarySource,
  whereOf: (query: GroupedQuery['query']) => PrismaWhere,
  { primaryKey = [] }: QuerySpec,
): ReadGroups {
  const [key = ''] = primaryKey.map(pathOfColumn);
  return async (grouped) => {
    const { keys, limit } = grouped;
    const where = whereOf(grouped.query);
    const numbers = numbersOf(grouped.measures);
    if (keys.length === 0) {
      return [groupedRowOf(await rows.aggregate({ where, ...numbers } as never), grouped, 1)];
    }
    const by = keys.map(({ column }) => column.name);
    const order = keys.map(({ column }) => ({ [column.name]: orderOf(column) }));
    // The number of key values is the number of rows, because the key is never NULL.
    const orderBy = [{ _count: { [key]: 'desc' } }, ...order];
    const found = await rows.groupBy({ by, where, orderBy, take: limit, ...numbers } as never);
    // Prisma cannot count groups.
    const args = { by, where, orderBy: order, take: MOST_COUNTED } as never;
    const total = found.length < limit ? found.length : (await rows.groupBy(args)).length;
    return found.map((row) => groupedRowOf(row, grouped, total));
  };
}

function orderOf({ nullable }: QueryColumn): unknown {
  return nullable === false ? 'asc' : { sort: 'asc', nulls: 'first' };
}

/** Returns an object such as `{ _count: { _all: true, amount: true }, _sum: { amount: true } }`. */
function numbersOf(measures: readonly Measure[]): object {
  const fieldsOf = (wanted: Measure['operator']) =>
    Object.fromEntries(
      measures
        .filter(({ operator }) => operator === wanted)
        .map(({ column }): [string, true] => [column.name, true]),
    );
  const numbers = (['sum', 'min', 'max'] as const).map((name): [string, object] => [
    `_${name}`,
    fieldsOf(name),
  ]);
  const asked = numbers.filter(([, fields]) => Object.keys(fields).length > 0);
  return { _count: { _all: true, ...fieldsOf('values') }, ...Object.fromEntries(asked) };
}

function groupedRowOf(row: object, { keys, measures }: GroupedQuery, total: number): GroupedRow {
  const group = row as PrismaGroup;
  return {
    keys: keys.map(({ column }) => plainOf(group[column.name], column)),
    count: group._count?.['_all'],
    total,
    measures: measures.map(({ operator, column }) => {
      const numbers = group[operator === 'values' ? '_count' : `_${operator}`];
      const value = (numbers as Readonly<Record<string, unknown>> | undefined)?.[column.name];
      return operator === 'values' ? value : plainOf(value, column);
    }),
  };
}

/** Returns a string for a Decimal. */
function plainOf(value: unknown, { type }: QueryColumn): unknown {
  if (type !== 'decimal' || value === null || value === undefined) return value;
  return String(value as { toString(): string });
}
