import { InvalidQueryConfigError } from '../query.errors.js';
import type { RelationDeclaration } from '../resolve/declared-relations.js';
import { nestedAtPath, valueAtPath } from '../resolve/property-path.js';
import { pathOfColumn, pathOfRelation, relationsTo } from '../resolve/relation.js';
import type { QuerySpec } from '../resolve/resolved-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';

/** A relation of the Prisma schema. */
export interface PrismaRelation extends RelationDeclaration {
  /**
   * True if each row has a related row. Clients can sort by a required field of the related row
   * only if this is true.
   * @default false
   */
  readonly required?: boolean | undefined;
}

/**
 * Checks the sort keys. Prisma accepts `nulls` only for optional fields. If the field is required,
 * Prisma cannot place rows that have no related row.
 * @throws InvalidQueryConfigError if a sort key is such a field and `required` is not set
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
      `Field "${field}" is sortable and not nullable, but a row may have no "${optional}", ` +
        `and Prisma cannot put such rows ${nulls}.`,
      `If every row has "${optional}", write relations: { '${optional}': { required: true } }. ` +
        `Otherwise, remove the field from \`sortable\`.`,
    );
  }
}

/** Returns the sort key in the format of Prisma. `checkOrder` rejects other keys. */
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
 * Rejects enums as sort keys of cursors unless `asText` is set. Prisma sorts an enum of the schema
 * in the order of its definition, and has no `gt` for the enum. A `String` field has no such
 * limits. The adapter cannot see whether a field is an enum or a `String`.
 *
 * Rejects numbers unless `hasCursors` is set, if Prisma rounds them in conditions. Pages would then
 * repeat or lose rows.
 * @param version the version of Prisma
 */
export function cursorKeyOf(key: ResolvedSort, version: string | undefined): ResolvedSort {
  const { column } = key;
  if (column.type === 'number' && ROUNDING_VERSIONS.test(version ?? '')) {
    return { ...key, column: { hasCursors: false, ...column } };
  }
  if (column.type !== 'enum' || column.asText !== undefined) return key;
  return { ...key, column: { ...column, hasCursors: false } };
}

/** Versions that round a Float to 16 digits. */
const ROUNDING_VERSIONS = /^(?:6|7\.[0-3])\./;

/** Returns null if there is no related row, and a string for a Decimal. */
export function valueAt(row: object, { field, column }: ResolvedSort): unknown {
  let value = valueAtPath(row, pathOfColumn(column));
  if (value === undefined) value = (row as Record<string, unknown>)[field];
  // oxlint-disable-next-line typescript/no-base-to-string -- a Decimal has its own toString()
  return column.type === 'decimal' && typeof value === 'object' && value ? String(value) : value;
}
