import type { EntityManager, EntityMetadata } from '@mikro-orm/core';

/** The default filters of an entity, for example a filter that hides deleted rows. */
export type FiltersOf = (metadata: EntityMetadata) => readonly object[];

/** A filter in the metadata of an entity or in the config of MikroORM. */
interface DeclaredFilter {
  readonly cond: object;
  readonly default?: boolean;
  /** In MikroORM 7, also classes and schemas. */
  readonly entity?: EntityName | readonly EntityName[];
  /** False if `cond` declares parameters, but needs no filter parameters. */
  readonly args?: boolean;
}

type EntityName = string | { readonly name: string };

/**
 * MikroORM applies these filters to listed rows and to joins, but not to `$some` and `$none`. Omits
 * filters of `em.addFilter()`, filters without their parameters in this context, and filters with a
 * promise as condition. A `where` cannot contain a promise.
 */
export function defaultFiltersOf(em: EntityManager): FiltersOf {
  return ({ className, filters = {} }) => {
    const declared = { ...em.config.get('filters'), ...filters } as Record<string, DeclaredFilter>;
    return Object.entries(declared).flatMap(([name, filter]) => {
      const entities = filter.entity === undefined ? [className] : [filter.entity].flat();
      const names = entities.map((of) => (typeof of === 'string' ? of : of.name));
      if (filter.default !== true || !names.includes(className)) return [];
      const { cond } = filter;
      if (typeof cond !== 'function') return [{ ...cond }];
      const given: unknown = em.getFilterParams(name);
      if (cond.length > 0 && given === undefined && filter.args !== false) return [];
      const made: unknown = (cond as Condition)(given, 'read', em, {}, className);
      return isCondition(made) ? [made] : [];
    });
  };
}

/**
 * Returns every active filter of the current context. Unlike `defaultFiltersOf`, includes filters of
 * `em.addFilter()` and asynchronous filters.
 * @throws Error if a filter needs parameters that this context does not have, like `em.find()`
 */
export async function activeFiltersOf(
  em: EntityManager,
  { className }: EntityMetadata,
): Promise<readonly object[]> {
  // MikroORM marks this method as internal. Its query builders call it with these arguments.
  const condition = await em.getContext(false).applyFilters<object>(className, {}, {}, 'read');
  const isEmpty = condition === undefined || Reflect.ownKeys(condition).length === 0;
  return isEmpty ? [] : [condition];
}

/**
 * `em.find()` hides a row if default filters hide the row of a required relation. Returns this
 * condition for query builders, which do not have it.
 */
export async function requiredRelationsOf(
  em: EntityManager,
  metadata: EntityMetadata,
): Promise<object> {
  const conditions: object[] = [];
  for (const { name, targetMeta } of metadata.relations) {
    if (targetMeta === undefined || !hidesRows(em, metadata, name)) continue;
    const filters = await activeFiltersOf(em, targetMeta);
    if (filters.length > 0) conditions.push({ [name]: { $and: filters } });
  }
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
