import type { EntityManager, EntityMetadata } from '@mikro-orm/core';

/** The default filters of an entity, for example a filter that hides deleted rows. */
export type FiltersOf = (metadata: EntityMetadata) => readonly object[];

/** A filter in the metadata of an entity or in the config of MikroORM. */
interface DeclaredFilter {
  readonly cond: object;
  readonly default?: boolean;
  readonly entity?: string | readonly string[];
}

/**
 * MikroORM applies these filters to listed rows and to joins, but not to `$some` and `$none`. Omits
 * filters of `em.addFilter()`, filters without their parameters in this context, and filters with a
 * promise as condition. A `where` cannot contain a promise.
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

/**
 * `em.find()` hides a row if default filters hide the row of a required relation. Returns this
 * condition for query builders, which do not have it.
 */
export function requiredRelationsOf(
  em: EntityManager,
  metadata: EntityMetadata,
  filtersOf: FiltersOf,
): object {
  const conditions = metadata.relations.flatMap(({ name, targetMeta }) => {
    if (targetMeta === undefined || !hidesRows(em, metadata, name)) return [];
    const filters = filtersOf(targetMeta);
    return filters.length > 0 ? [{ [name]: { $and: filters } }] : [];
  });
  return conditions.length > 0 ? { $and: conditions } : {};
}

/** Returns true if `em.find()` hides each row whose related row is hidden by default filters. */
export function hidesRows(em: EntityManager, metadata: EntityMetadata, relation: string): boolean {
  const { kind, owner, nullable } = metadata.relations.find(({ name }) => name === relation) ?? {};
  const isRequired =
    nullable !== true && (String(kind) === 'm:1' || (String(kind) === '1:1' && owner === true));
  return isRequired && em.config.get('autoJoinRefsForFilters');
}

type Condition = (params: unknown, type: 'read', ...others: unknown[]) => unknown;

function isCondition(made: unknown): made is object {
  return typeof made === 'object' && made !== null && !(made instanceof Promise);
}
