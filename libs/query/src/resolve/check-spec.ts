import { checkColumnType } from '../config/column-types.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryColumn } from './column.js';
import { pathOfColumn, pathOfRelation, relationsTo } from './relation.js';
import type { QuerySpec } from './resolved-query.js';

/** @throws InvalidQueryConfigError */
export function checkedSpec(spec: QuerySpec): QuerySpec {
  const { columns, sortable = columns, search = [], primaryKey = [] } = spec;
  const listed = [...Object.values(columns), ...Object.values(sortable), ...search, ...primaryKey];
  for (const column of listed) {
    checkType(column);
    checkDepth(column);
  }
  for (const column of search) checkSearched(column);
  for (const [field, column] of Object.entries(sortable)) checkSortKey(field, column);
  for (const column of primaryKey) checkKey(column);
  return spec;
}

function checkType({ name, type, values = [] }: QueryColumn): void {
  checkColumnType(name, type);
  if (type !== 'enum' || values.length > 0) return;
  throw new InvalidQueryConfigError(
    `Column "${name}" is an enum without values.`,
    `List its values: { type: 'enum', values: ['open', 'done'] }.`,
  );
}

/** Each relation between a row and a column becomes a nested subquery. */
const MOST_RELATIONS = 3;

function checkDepth(column: QueryColumn): void {
  const depth = relationsTo(column.relation).length;
  if (depth <= MOST_RELATIONS) return;
  throw new InvalidQueryConfigError(
    `Column "${pathOfColumn(column)}" is reached through ${depth} relations.`,
    `Use columns that are reached through at most ${MOST_RELATIONS} relations.`,
  );
}

function checkSearched({ name, type, array }: QueryColumn): void {
  if (array === true) {
    throw new InvalidQueryConfigError(
      `Column "${name}" is searched by \`q\`, but the column is an array.`,
      'Remove it from `searchColumns` or `searchable`, ' +
        'and let clients filter by it with the operator `has`.',
    );
  }
  if (type === 'string') return;
  throw new InvalidQueryConfigError(
    `Column "${name}" is searched by \`q\`, but its type is ${type}.`,
    'Remove it from `searchColumns` or `searchable`. `q` searches only columns of type string.',
  );
}

function checkSortKey(field: string, { relation, array }: QueryColumn): void {
  if (array === true) {
    throw new InvalidQueryConfigError(
      `Field "${field}" is sortable, but its column is an array.`,
      'Set `sortable` to the other fields. By default, every field in `columns` is sortable.',
    );
  }
  const many = relationsTo(relation).find((passed) => passed.many);
  if (many === undefined) return;
  throw new InvalidQueryConfigError(
    `Field "${field}" is sortable, but a row can have several values for this field, ` +
      `because the relation "${pathOfRelation(many)}" is to-many.`,
    'Set `sortable` to the other fields. By default, every field in `columns` is sortable.',
  );
}

function checkKey(column: QueryColumn): void {
  if (column.json !== undefined || column.array === true) {
    throw new InvalidQueryConfigError(
      `\`primaryKey\` contains "${pathOfColumn(column)}", ` +
        'which is an array or a value inside a JSON column.',
      'Use columns that contain one value, such as the primary key of the table.',
    );
  }
  if (column.relation === undefined) return;
  throw new InvalidQueryConfigError(
    `\`primaryKey\` contains "${pathOfColumn(column)}", which is a column of a related row.`,
    'Use columns of the listed table.',
  );
}
