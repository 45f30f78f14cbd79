import { InvalidQueryConfigError } from '../query.errors.js';

/** The types of columns; `ColumnType` says what each holds. */
export const COLUMN_TYPES = [
  ...(['string', 'integer', 'bigint', 'number', 'decimal', 'boolean', 'date', 'time'] as const),
  ...(['timestamp', 'uuid', 'objectId', 'enum'] as const),
];

export function isColumnType(type: unknown): boolean {
  return (COLUMN_TYPES as readonly unknown[]).includes(type);
}

/**
 * Checks the types of declared columns. A text in `columns` is the path of a property, for adapters that read metadata;
 * it is a type if the config also has `primaryKey`, `relations` or `provider` as declared configs have.
 * @throws InvalidQueryConfigError
 */
export function checkColumnTypes(config: object): void {
  const { columns, sortable, primaryKey, relations, provider } = config as Readonly<
    Record<string, unknown>
  >;
  const [key] = [primaryKey].flat();
  const isDeclared = typeof key === 'string' || relations !== undefined || provider !== undefined;
  for (const [field, column] of Object.entries({
    ...(sortable as object),
    ...(columns as object),
  })) {
    const type = typeof column === 'string' && isDeclared ? column : typeIn(column);
    if (type === undefined || isColumnType(type)) continue;
    throw new InvalidQueryConfigError(
      `Column "${field}" has the unknown type ${JSON.stringify(type)}.`,
      `Use one of ${COLUMN_TYPES.join(', ')}.`,
    );
  }
}

/** Columns of an ORM are objects of classes. */
function typeIn(column: unknown): unknown {
  if (typeof column !== 'object' || column === null) return undefined;
  return Object.getPrototypeOf(column) === Object.prototype && 'type' in column
    ? column.type
    : undefined;
}
