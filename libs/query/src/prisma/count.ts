import type { CappedTotal } from '../page/paginated-response.js';
import { countUpTo } from '../page/count-rows.js';

/** A model of the generated client: `prisma.task`. */
export interface PrismaCounting {
  count(args: { where: object; take?: number }): PromiseLike<number>;
}

/**
 * Counts up to `cap` rows of a model, for `total` of `paginate`.
 *
 * @param count the property `count` of `prismaAdapter.build`, with your own conditions
 * @throws InvalidQueryConfigError if `cap` is not a whole number of 1 or more
 * @example
 * ```ts
 * const total = await cappedCount(prisma.task, count, 1000);
 * ```
 */
export function cappedCount(
  model: PrismaCounting,
  { where }: { readonly where: object },
  cap: number,
): Promise<CappedTotal> {
  const count = (take?: number) => model.count({ where, ...(take !== undefined && { take }) });
  return countUpTo({ count }, cap);
}
