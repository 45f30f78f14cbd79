import type { EntityManager, EntityMetadata } from '@mikro-orm/core';

/** The conditions of the default filters of an entity, such as one that hides deleted rows. */
export type FiltersOf = (metadata: EntityMetadata) => readonly object[];

/** A filter, as entities and the config of MikroORM declare it. */
interface DeclaredFilter {
  readonly cond: object;
  readonly default?: boolean;
  readonly entity?: string | readonly string[];
}

/**
 * MikroORM applies default filters to the listed rows and joins, but not to `$some` and `$none`.
 * Three kinds of filters are left out: filters of `em.addFilter()`, filters whose parameters are
 * not set in this context, and filters whose condition is a promise, because a `where` cannot be a
 * promise.
 */
export function defaultFiltersOf(em: EntityManager): FiltersOf {
  return ({ className, filters = {} }) => {
    const declared = { ...em.config.get('filters'), ...filters } as Record<string, DeclaredFilter>;
    return Object.entries(declared).flatMap(([name, filter]) => {
      const names = filter.entity === undefined ? [className] : [filter.entity].flat();
      if (filter.default !== true || !names.includes(className)) return [];
      const { cond } = filter;
      if (typeof cond !== 'function') return [{ ...cond }];
      const given: unknown = em.getFilterParams(name);
      if (cond.length > 0 && given === undefined) return [];
      const made: unknown = (cond as Condition)(given, 'read', em, {}, className);
      return isCondition(made) ? [made] : [];
    });
  };
}

type Condition = (params: unknown, type: 'read', ...others: unknown[]) => unknown;

function isCondition(made: unknown): made is object {
  return typeof made === 'object' && made !== null && !(made instanceof Promise);
}
