import type { EntityMetadata } from 'typeorm';
import { aliasOf } from '../shared-sql/sql-join.js';
import { pathOfRelation, type QueryRelation } from '../resolve/relation.js';
import type { Dialect } from './dialect.js';

type RelationMetadata = EntityMetadata['relations'][number];
type ColumnMetadata = EntityMetadata['columns'][number];

/** The entity of an adapter. Also the parts of its data source that affect the SQL. */
export interface QueriedEntity {
  readonly metadata: EntityMetadata;
  readonly dialect: Dialect;
  /** Quotes the name of a table or column for the engine. */
  readonly escape: (name: string) => string;
}

export function relationMetadataOf(
  metadata: EntityMetadata,
  { name, from }: QueryRelation,
): RelationMetadata {
  const start = from ? relationMetadataOf(metadata, from).inverseEntityMetadata : metadata;
  // Never undefined, because the columns of the config were found through this relation.
  return start.findRelationWithPropertyPath(name) as RelationMetadata;
}

export function aliasOfRelation(relation: QueryRelation): string {
  return aliasOf(pathOfRelation(relation));
}

export function relatedColumnSql(
  relation: QueryRelation,
  path: string,
  { metadata, escape }: QueriedEntity,
): string {
  const { inverseEntityMetadata } = relationMetadataOf(metadata, relation);
  const column = inverseEntityMetadata.findColumnWithPropertyPath(path) as ColumnMetadata;
  return columnSql(aliasOfRelation(relation), column, escape);
}

/** Adds a value to the parameters of the query. Returns its placeholder, such as `:fledge_1`. */
export type Bind = (value: string | number | boolean | Date) => string;

/**
 * Returns the condition that rows belong to the entity, if the entity uses single-table
 * inheritance. Rows of entities that inherit from the entity also match. Returns undefined for
 * other entities. TypeORM adds this condition to listed rows, but not to joined rows.
 */
export function inheritanceSql(
  relation: QueryRelation,
  { metadata, escape }: QueriedEntity,
  bind: Bind,
): string | undefined {
  const { inverseEntityMetadata: related } = relationMetadataOf(metadata, relation);
  const { discriminatorColumn, parentEntityMetadata, childEntityMetadatas } = related;
  // Not needed, because all rows of the table belong to the root entity.
  if (discriminatorColumn === undefined || parentEntityMetadata === undefined) return undefined;
  const values = [related, ...childEntityMetadatas].map(({ discriminatorValue }) =>
    bind(discriminatorValue as string),
  );
  const column = columnSql(aliasOfRelation(relation), discriminatorColumn, escape);
  return `${column} IN (${values.join(', ')})`;
}

/** For an EXISTS. The function `on` needs the alias of the listed entity. */
export function relatedTablesSql(
  relation: QueryRelation,
  { metadata, escape }: QueriedEntity,
): { readonly from: string; readonly on: (alias: string) => string[] } {
  const found = relationMetadataOf(metadata, relation);
  const { inverseEntityMetadata: related, junctionEntityMetadata: junction } = found;
  const own = aliasOfRelation(relation);
  const outerOf = (alias: string) => (relation.from ? aliasOfRelation(relation.from) : alias);
  // Excludes soft-deleted rows, like TypeORM's own joins.
  const deleted = related.deleteDateColumn;
  const kept = deleted ? [`${columnSql(own, deleted, escape)} IS NULL`] : [];
  const { joinColumns, inverseJoinColumns } = found.isOwning
    ? found
    : (found.inverseRelation as RelationMetadata);
  if (junction === undefined) {
    const on = (outer: string) =>
      found.isOwning
        ? pairsSql(joinColumns, outer, own, escape)
        : pairsSql(joinColumns, own, outer, escape);
    return {
      from: tableSql(related, own, escape),
      on: (alias) => [...on(outerOf(alias)), ...kept],
    };
  }
  const between = `${own}__through`;
  const [near, far] = found.isOwning
    ? [joinColumns, inverseJoinColumns]
    : [inverseJoinColumns, joinColumns];
  return {
    from: `${tableSql(junction, between, escape)}, ${tableSql(related, own, escape)}`,
    on: (alias) => [
      ...pairsSql(near, between, outerOf(alias), escape),
      ...pairsSql(far, between, own, escape),
      ...kept,
    ],
  };
}

type Escape = QueriedEntity['escape'];

function tableSql({ tablePath }: EntityMetadata, alias: string, escape: Escape): string {
  return `${tablePath.split('.').map(escape).join('.')} ${escape(alias)}`;
}

function columnSql(alias: string, { databaseName }: ColumnMetadata, escape: Escape): string {
  return `${escape(alias)}.${escape(databaseName)}`;
}

function pairsSql(
  columns: readonly ColumnMetadata[],
  alias: string,
  referenced: string,
  escape: Escape,
): string[] {
  return columns.map((column) => {
    const to = column.referencedColumn as ColumnMetadata;
    return `${columnSql(alias, column, escape)} = ${columnSql(referenced, to, escape)}`;
  });
}
