import { InvalidQueryConfigError } from '../query.errors.js';
import type { RelationDeclaration } from '../resolve/declared-relations.js';
import { nestedAtPath, valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn, pathOfRelation, relationsTo } from '../resolve/relation.js';
import type { QuerySpec } from '../resolve/resolved-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/** A relation of the Prisma schema. */
export interface PrismaRelation extends RelationDeclaration {
  /**
   * Whether each row has a related row. Required to order by a required field of the related row.
   * @default false
   */
  readonly required?: boolean | undefined;
}

/**
 * Checks sort keys. Prisma accepts `nulls` only for optional fields, so it cannot place rows
 * without a related row if the field of the related row is required.
 * @throws InvalidQueryConfigError for such a sort key
 */
export function checkOrder(
  { sortable = {}, nulls = 'last' }: QuerySpec,
  relations: Readonly<Record<string, PrismaRelation>> = {},
): void {
  for (const [field, { relation, nullable }] of Object.entries(sortable)) {
    if (nullable !== false) continue;
    const optional = relationsTo(relation)
      .map(pathOfRelation)
      .find((path) => relations[path]?.required !== true);
    if (optional === undefined) continue;
    throw new InvalidQueryConfigError(
      `Field "${field}" is sortable and not nullable. But a row may have no "${optional}", and Prisma cannot put such rows ${nulls}.`,
      `If "${optional}" exists for each row, write relations: { '${optional}': { required: true } }; otherwise remove the field from sortable.`,
    );
  }
}

/**
 * Returns the sort key with the nullability of its field in the Prisma schema. `checkOrder` rejects
 * other keys.
 */
export function withOwnNulls(key: ResolvedSort, { sortable = {} }: QuerySpec): ResolvedSort {
  const { field, column } = key;
  return column.relation === undefined ? key : { ...key, column: sortable[field] ?? column };
}

/** Prisma rejects `nulls` for a required field. */
export function prismaOrder({ column, direction, nulls = 'last' }: ResolvedSort): object {
  return nestedAtPath(
    pathOfColumn(column),
    column.nullable === false ? direction : { sort: direction, nulls },
  );
}

/**
 * An enum of the Prisma schema is ordered by its definition and has no `gt`, unlike a `String`
 * field. Without `asText`, the adapter cannot tell whether the field is such an enum or a `String`,
 * so the column cannot be a sort key of cursors.
 */
export function cursorKeyOf(key: ResolvedSort): ResolvedSort {
  const { column } = key;
  if (column.type !== 'enum' || column.asText !== undefined) return key;
  return { ...key, column: { ...column, hasCursors: false } };
}

/**
 * Returns the value of a sort key in a row: null without the related row, a string for a Decimal.
 */
export function valueAt(row: object, { field, column }: ResolvedSort): unknown {
  let value = valueAtPath(row, pathOfColumn(column));
  if (value === undefined) value = (row as Record<string, unknown>)[field];
  // oxlint-disable-next-line typescript/no-base-to-string -- a Decimal has its own toString()
  return column.type === 'decimal' && typeof value === 'object' && value ? String(value) : value;
}
