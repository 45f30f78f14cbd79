import type { EntityManager, EntityRepository } from '@mikro-orm/core';
import type { CappedTotal, EstimatedTotal, Total } from '../page/paginated-response.js';
import { countOrEstimate, countUpTo, estimateBy, type RowCounter } from '../page/count-rows.js';
import { requiredRelationsOf } from './entity-filters.js';
import { type MikroOrmQuery } from './mikro-orm.adapter.js';
import { engineOf } from './property-type.js';

/**
 * Counts up to `cap` entities, for `total` of `paginate`. Applies the default filters of the
 * entity.
 *
 * @param query the result of `build`. Each count reads `where` again. To add your own conditions,
 * pass `{ get where() { return { $and: [{ tenant }, query.where] }; } }`
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const total = await cappedCount(tasks, mikroOrmAdapter(tasks).build(parsed, TASKS), 1000);
 * ```
 */
export function cappedCount<Entity extends object>(
  repository: EntityRepository<Entity>,
  query: Pick<MikroOrmQuery<Entity>, 'where'>,
  cap: number,
): Promise<CappedTotal> {
  return countUpTo(counterOf(repository, query), cap);
}

/**
 * Counts the entities exactly if there are at most `threshold`. Otherwise, estimates the number
 * with `EXPLAIN`. SQLite has no estimates, so every row is counted. Applies the default filters of
 * the entity.
 *
 * @param query the result of `build`. Each count reads `where` again
 * @throws InvalidQueryConfigError if `threshold` is not a whole number of 1 or more
 */
export function estimatedCount<Entity extends object>(
  repository: EntityRepository<Entity>,
  query: Pick<MikroOrmQuery<Entity>, 'where'>,
  threshold: number,
): Promise<EstimatedTotal> {
  return countOrEstimate(counterOf(repository, query), threshold);
}

function counterOf<Entity extends object>(
  repository: EntityRepository<Entity>,
  query: Pick<MikroOrmQuery<Entity>, 'where'>,
): RowCounter {
  const em = repository.getEntityManager() as unknown as SqlManager;
  const metadata = em.getMetadata().get(repository.getEntityName());
  const foundOf = async (limit?: number) => {
    const qb = em.createQueryBuilder(repository.getEntityName());
    // Needed because a joined relation repeats the row of the entity.
    qb.select(metadata.primaryKeys, true).where(query.where);
    qb.andWhere(await requiredRelationsOf(em, metadata));
    await qb.applyFilters();
    // Applies the filters of related rows in conditions, like `em.find()`.
    await qb.applyJoinedFilters(em, {});
    if (limit !== undefined) qb.limit(limit);
    return qb.getFormattedQuery();
  };
  const run = (sql: string): Promise<unknown[]> =>
    em.getConnection().execute(sql, [], 'all', em.getTransactionContext());
  return {
    async count(limit) {
      const found = await foundOf(limit);
      const [row] = await run(`select count(*) as total from (${found}) as counted`);
      return (row as { total: Total } | undefined)?.total ?? 0;
    },
    estimate: estimateBy(engineOf(em), async (prefix) => run(`${prefix}${await foundOf()}`)),
  };
}

/** The entity manager of SQL drivers. The type is only in the driver packages. */
interface SqlManager extends EntityManager {
  createQueryBuilder(entity: unknown): SqlQuery;
  getConnection(): {
    execute(sql: string, parameters: [], method: 'all', context: unknown): Promise<unknown[]>;
  } & ReturnType<EntityManager['getConnection']>;
}

interface SqlQuery {
  select(fields: readonly string[], distinct: boolean): SqlQuery;
  where(where: object): SqlQuery;
  andWhere(where: object): SqlQuery;
  limit(limit: number): SqlQuery;
  applyFilters(): Promise<void>;
  applyJoinedFilters(em: EntityManager, options: object): Promise<void>;
  getFormattedQuery(): string;
}
