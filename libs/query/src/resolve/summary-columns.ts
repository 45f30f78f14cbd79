import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryFieldConfig } from '../config/field-config.js';
import { type ColumnType, ownColumn, type QueryColumn } from './column.js';
import { pathOfRelation, relationsTo } from './relation.js';
import type { QuerySpec, SummaryColumns } from './resolved-query.js';

type ListName = keyof SummaryColumns;

const NUMBERS: readonly ColumnType[] = ['integer', 'bigint', 'number', 'decimal'];
const DATES: readonly ColumnType[] = ['date', 'timestamp'];
const VALUES: readonly ColumnType[] = ['string', 'enum', 'boolean', 'uuid', 'objectId', ...NUMBERS];

const FITTING: Readonly<Record<ListName, readonly [types: readonly ColumnType[], cure: string]>> = {
  facetable: [VALUES, 'Remove the field from the list. The list `groupable` supports dates.'],
  groupable: [[...VALUES, ...DATES], 'Remove the field from the list.'],
  aggregatable: [[...NUMBERS, ...DATES], 'Remove the field. Only numbers and dates are supported.'],
};

export function isDate({ type }: QueryColumn): boolean {
  return DATES.includes(type);
}

export function isNumber({ type }: QueryColumn): boolean {
  return NUMBERS.includes(type);
}

/**
 * Returns undefined if the config has none of the lists.
 * @param otherwise finds a field that is neither in `columns` nor in `sortable`.
 * @default none
 * @throws InvalidQueryConfigError if a field has no column, if it belongs to several related rows,
 * or if its type does not fit
 */
export function summaryColumnsOf(
  config: Pick<QueryFieldConfig, ListName>,
  { columns, sortable = {} }: Pick<QuerySpec, 'columns' | 'sortable'>,
  otherwise: (field: string) => QueryColumn | undefined = () => undefined,
): SummaryColumns | undefined {
  const { facetable, groupable, aggregatable } = config;
  if ((facetable ?? groupable ?? aggregatable) === undefined) return undefined;
  const columnOf = (field: string) =>
    ownColumn(columns, field) ?? ownColumn(sortable, field) ?? otherwise(field);
  const columnsOf = (list: ListName) =>
    Object.fromEntries(
      (config[list] ?? []).map((field) => [field, checked(list, field, columnOf(field))]),
    );
  return {
    facetable: columnsOf('facetable'),
    groupable: columnsOf('groupable'),
    aggregatable: columnsOf('aggregatable'),
  };
}

function checked(list: ListName, field: string, column: QueryColumn | undefined): QueryColumn {
  if (column === undefined) {
    throw new InvalidQueryConfigError(
      `\`${list}\` contains "${field}", but neither \`columns\` nor \`sortable\` declares it.`,
      'Add the field to `columns`. With { operators: [] }, clients cannot filter by it.',
    );
  }
  const many = relationsTo(column.relation).find((passed) => passed.many);
  if (many !== undefined) {
    throw new InvalidQueryConfigError(
      `\`${list}\` contains "${field}", but a row can have several values for this field, ` +
        `because the relation "${pathOfRelation(many)}" is to-many.`,
      'Remove the field, or summarize a list of the related rows.',
    );
  }
  if (column.array === true || (column.json !== undefined && isDate(column))) {
    const kind = column.array === true ? 'arrays' : 'dates inside a JSON column';
    throw new InvalidQueryConfigError(
      `\`${list}\` contains "${field}", but does not support ${kind}.`,
      'Remove the field from the list.',
    );
  }
  const [types, cure] = FITTING[list];
  if (types.includes(column.type)) return column;
  throw new InvalidQueryConfigError(
    `\`${list}\` contains "${field}", but does not support its type ${column.type}.`,
    cure,
  );
}
