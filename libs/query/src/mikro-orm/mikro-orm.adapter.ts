import type { EntityMetadata, EntityRepository, FilterQuery, QueryOrderMap } from '@mikro-orm/core';
import { contentOfConfig } from '../config/config-content.js';
import { onceFor, onceForContent } from '../config/once-for.js';
import { type KeysetOptions, keysetPage } from '../cursor/keyset-page.js';
import type { Condition } from '../cursor/keyset.js';
import { queryConditions } from '../cursor/query-conditions.js';
import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { type DerivedQueryConfig, derivedSpec } from '../resolve/derived-columns.js';
import type { CheckingAdapter } from '../resolve/query-adapter.js';
import { resolveQuery } from '../resolve/resolve-query.js';
import type { ResolvedQuery, ResolvedSort } from '../resolve/resolved-query.js';
import { type ColumnNames, type Engine, orderOf, whereOf } from './condition-where.js';
import { propertiesOfEntity } from './entity-properties.js';

/** The arguments of `em.findAndCount(Task, where, { orderBy, limit, offset })`. */
export interface MikroOrmQuery<Entity extends object> {
  /** Made anew at each reading, because MikroORM uses raw conditions up: read it for every call. */
  readonly where: FilterQuery<Entity>;
  readonly orderBy: QueryOrderMap<Entity>[];
  readonly limit: number;
  readonly offset: number;
}

/** A page that starts behind a cursor. */
export interface MikroOrmKeysetQuery<Entity extends object> extends MikroOrmQuery<Entity> {
  /** The cursor of the page behind this row. */
  readonly cursorOf: (row: Entity) => string;
}

/** Property paths of the entity; an embedded one is `address.city`. Also parses. */
export type MikroOrmQueryConfig = DerivedQueryConfig;

export interface MikroOrmAdapter<Entity extends object> extends CheckingAdapter<
  MikroOrmQuery<Entity>,
  MikroOrmQueryConfig
> {
  buildKeyset(
    parsed: AnyParsedQuery,
    config: MikroOrmQueryConfig,
    options: KeysetOptions,
  ): MikroOrmKeysetQuery<Entity>;
}

/**
 * Queries for an entity; its properties are read from MikroORM, once for each config.
 *
 * @example
 * ```ts
 * const { where, ...page } = mikroOrmAdapter(repository).build(parsed, { filterable: ['status'] });
 * const [data, total] = await repository.findAndCount(where, page);
 * ```
 */
export function mikroOrmAdapter<Entity extends object>(
  repository: EntityRepository<Entity>,
): MikroOrmAdapter<Entity> {
  const em = repository.getEntityManager();
  const engine = engineOf(em.getPlatform().constructor.name);
  const { specOf, columnNameOf } = knowledgeOf(em.getMetadata().get(repository.getEntityName()));
  const found = (query: ResolvedQuery, offset: number, behind?: Condition) => ({
    get where() {
      const conditions = queryConditions(query, behind);
      return wholeWhereOf(conditions, columnNameOf, engine) as FilterQuery<Entity>;
    },
    get orderBy() {
      return query.sort.map((key) => orderOf(key, columnNameOf, engine)) as QueryOrderMap<Entity>[];
    },
    limit: query.pagination.limit,
    offset,
  });
  return {
    name: 'mikro-orm',
    check: (config) => void specOf(config),
    build(parsed, config) {
      const query = resolveQuery(parsed, specOf(config));
      return found(query, query.pagination.offset);
    },
    buildKeyset(parsed, config, options) {
      const query = resolveQuery(parsed, specOf(config));
      const page = keysetPage(query, { read: valueAt, ...options });
      return Object.assign(found(query, 0, page.where), {
        cursorOf: (row: Entity) => page.cursorOf(row),
      });
    },
  };
}

const knowledgeOf = onceFor((metadata: EntityMetadata) => {
  const source = propertiesOfEntity(metadata);
  return {
    specOf: onceForContent(contentOfConfig, (config: MikroOrmQueryConfig) =>
      derivedSpec(config, source),
    ),
    columnNameOf: source.columnNameOf,
  };
});

/** All of the conditions; `{}` when every row will do. */
function wholeWhereOf(
  conditions: readonly Condition[],
  columnNameOf: ColumnNames,
  engine: Engine,
): Record<string, unknown> {
  return conditions.length === 0 ? {} : whereOf({ kind: 'and', conditions }, columnNameOf, engine);
}

/** MongoDB takes no raw conditions, and SQL Server takes [ for a wildcard. */
function engineOf(platform: string): Engine {
  if (platform === 'MongoPlatform' || platform === 'MsSqlPlatform') {
    throw new InvalidQueryConfigError(
      `Queries are not translated for MikroORM's ${platform}.`,
      `Use PostgreSQL, MySQL, MariaDB or SQLite; for MongoDB there is @fledge/query/mongoose.`,
    );
  }
  if (platform === 'PostgreSqlPlatform') return 'postgresql';
  return platform === 'MySqlPlatform' || platform === 'MariaDbPlatform' ? 'mysql' : 'other';
}

function valueAt(row: object, { column }: ResolvedSort): unknown {
  let value: unknown = row;
  for (const name of column.name.split('.')) {
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  }
  return value ?? null;
}
