import type { DataSource, ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm';
import type { CappedTotal, EstimatedTotal, Total } from '../page/paginated-response.js';
import { countOrEstimate, countUpTo, estimateBy, type RowCounter } from '../page/count-rows.js';
import { dialectOf } from './dialect.js';

/**
 * Counts up to `cap` entities, for `total` of `paginate`. Ignores the page and the order of the
 * query builder.
 *
 * @param builder the result of `applyTo`, with your own conditions
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const builder = applyTo(tasks.createQueryBuilder('task'));
 * const total = await cappedCount(builder, 1000);
 * ```
 */
export function cappedCount<Entity extends ObjectLiteral>(
  builder: SelectQueryBuilder<Entity>,
  cap: number,
): Promise<CappedTotal> {
  return countUpTo(counterOf(builder), cap);
}

/**
 * Counts the entities exactly if there are at most `threshold`. Otherwise, estimates the number
 * with `EXPLAIN`. On SQLite and CockroachDB, every row is counted. Ignores the page and the order
 * of the query builder.
 *
 * @param builder the result of `applyTo`, with your own conditions
 * @throws InvalidQueryConfigError if `threshold` is not a whole number of 1 or more
 */
export function estimatedCount<Entity extends ObjectLiteral>(
  builder: SelectQueryBuilder<Entity>,
  threshold: number,
): Promise<EstimatedTotal> {
  return countOrEstimate(counterOf(builder), threshold);
}

function counterOf<Entity extends ObjectLiteral>(builder: SelectQueryBuilder<Entity>): RowCounter {
  const { expressionMap, alias } = builder;
  // In TypeORM 0.3, this property is `connection`. The other two properties are protected.
  const parts = builder as unknown as BuilderParts;
  const source = parts.dataSource ?? parts.connection;
  const run = (sql: string, parameters: unknown[]) =>
    (parts.queryRunner ?? source).query(sql, parameters) as Promise<unknown[]>;
  const foundOf = (limit?: number) => {
    const keys = expressionMap.mainAlias?.metadata.primaryColumns ?? [];
    return (
      builder
        .clone()
        .setOption('disable-global-order')
        .orderBy()
        .skip(undefined)
        .take(undefined)
        .offset(undefined)
        .limit(limit)
        .select(keys.map(({ propertyPath }) => `${alias}.${propertyPath}`))
        // Needed because a joined relation repeats the row of the entity.
        .distinct(expressionMap.joinAttributes.length > 0)
        .getQueryAndParameters()
    );
  };
  const { type } = source.options;
  const explain = (prefix: string) => {
    const [sql, parameters] = foundOf();
    return run(prefix + sql, parameters as unknown[]);
  };
  return {
    async count(limit) {
      const [sql, parameters] = foundOf(limit);
      const counted = `select count(*) as total from (${sql}) counted`;
      const [row] = await run(counted, parameters as unknown[]);
      return (row as { total: Total } | undefined)?.total ?? 0;
    },
    // The plans of CockroachDB have another format.
    estimate: type === 'cockroachdb' ? undefined : estimateBy(dialectOf(type).engine, explain),
  };
}

interface BuilderParts {
  readonly dataSource?: DataSource;
  readonly connection: DataSource;
  readonly queryRunner?: QueryRunner;
}
