import type {
  EntityMetadata,
  FindOptionsOrder,
  FindOptionsWhere,
  ObjectLiteral,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { contentOfConfig } from '../config/config-content.js';
import { onceFor, onceForContent } from '../config/once-for.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { type DerivedQueryConfig, derivedSpec } from '../resolve/derived-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { dialectOf } from './dialect.js';
import { columnsOfEntity } from './entity-columns.js';
import { findOrderOf, findWhereOf } from './find-options.js';
import { applyQuery } from './query-builder.js';

/** A query that is put on a query builder. */
export interface TypeOrmBuilderQuery<Entity extends ObjectLiteral> {
  /** Adds conditions, order and page to what the builder has; `getCount` ignores the last two. */
  readonly applyTo: <Builder extends SelectQueryBuilder<Entity>>(builder: Builder) => Builder;
}

/** Options for `repository.findAndCount`, and the same for a query builder. */
export interface TypeOrmQuery<Entity extends ObjectLiteral> extends TypeOrmBuilderQuery<Entity> {
  /** One for each searched column, of which any may hold. Never empty, so a condition can go into each. */
  readonly where: FindOptionsWhere<Entity>[];
  /** MySQL and MariaDB put NULLs first in an ascending order that `find` makes; `applyTo` does not. */
  readonly order: FindOptionsOrder<Entity>;
  readonly skip: number;
  readonly take: number;
}

/** A page that starts behind a cursor. */
export interface TypeOrmKeysetQuery<
  Entity extends ObjectLiteral,
> extends TypeOrmBuilderQuery<Entity> {
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: Entity) => string;
}

/** Property paths of the entity; an embedded one is `address.city`. Also parses. */
export type TypeOrmQueryConfig = DerivedQueryConfig;

export interface TypeOrmAdapter<Entity extends ObjectLiteral> extends CheckingAdapter<
  TypeOrmQuery<Entity>,
  TypeOrmQueryConfig
> {
  /** For a query builder alone: `find` cannot order as cursors need it on every engine. */
  buildKeyset(
    parsed: AnyParsedQuery,
    config: TypeOrmQueryConfig,
    options: KeysetOptions,
  ): TypeOrmKeysetQuery<Entity>;
}

/**
 * Queries for an entity; its columns are read from TypeORM, once for each config.
 *
 * @example
 * ```ts
 * const query = typeOrmAdapter(repository).build(parsed, { filterable: ['status'], sortable: ['id'] });
 * const [data, total] = await repository.findAndCount(query);
 * ```
 */
export function typeOrmAdapter<Entity extends ObjectLiteral>({
  metadata,
}: Repository<Entity>): TypeOrmAdapter<Entity> {
  const { specOf, dialect, valueOf } = knowledgeOf(metadata);
  return {
    name: 'typeorm',
    check: (config) => void specOf(config),
    build(parsed, config) {
      const query = resolveQuery(parsed, specOf(config));
      return {
        where: findWhereOf(query, metadata, dialect) as FindOptionsWhere<Entity>[],
        order: findOrderOf(query, dialect) as FindOptionsOrder<Entity>,
        skip: query.pagination.offset,
        take: query.pagination.limit,
        applyTo: (builder) => applyQuery(builder, query, dialect),
      };
    },
    buildKeyset(parsed, config, options) {
      const query = resolveQuery(parsed, specOf(config));
      const page = keysetPage(query, { read: valueOf, ...options });
      const fromStart = { ...query, pagination: { ...query.pagination, offset: 0 } };
      return {
        applyTo: (builder) => applyQuery(builder, fromStart, dialect, page.where),
        cursorOf: (row) => page.cursorOf(row),
      };
    },
  };
}

const knowledgeOf = onceFor((metadata: EntityMetadata) => {
  // TypeORM 0.3 calls it `connection`.
  const { dataSource = metadata.connection } = metadata;
  const dialect = dialectOf(dataSource.options.type);
  const source = columnsOfEntity(metadata, dialect);
  return {
    specOf: onceForContent(contentOfConfig, (config: TypeOrmQueryConfig) =>
      derivedSpec(config, source),
    ),
    dialect,
    // As it stands in the database: the condition behind a cursor is one for the database.
    valueOf: (row: object, { column }: ResolvedSort): unknown =>
      metadata.findColumnWithPropertyPath(column.name)?.getEntityValue(row, true),
  };
});
