import { DuplicateContributorError } from '../errors.js';
import type { Contributor } from './context-decorator.js';

/** Where a contributor can be registered, from the weakest to the strongest. */
export const LEVELS = ['global', 'adapter', 'module', 'class', 'method'] as const;

/** The contributors of one route, by the level at which they were registered. */
export type ContributorsByLevel = Readonly<Record<(typeof LEVELS)[number], readonly Contributor[]>>;

/**
 * The contributors of a route: one for each key, the one from the strongest level.
 * @param route named in the error
 * @throws DuplicateContributorError when one level has two for a key
 */
export function strongestContributors(levels: ContributorsByLevel, route: string): Contributor[] {
  const chosen = new Map<string, Contributor>();
  for (const level of LEVELS) {
    const here = new Map<string, Contributor>();
    for (const contributor of levels[level]) {
      const { key } = contributor;
      // The same decorator may be registered twice, such as by two modules that share a controller.
      if ((here.get(key) ?? contributor) !== contributor) {
        throw new DuplicateContributorError(key, level, route);
      }
      here.set(key, contributor);
    }
    for (const [key, contributor] of here) {
      chosen.delete(key);
      chosen.set(key, contributor);
    }
  }
  return [...chosen.values()];
}
