import {
  ContributorCycleError,
  DuplicateContributorError,
  UnmetContributorDependencyError,
} from '../errors.js';
import type { Contributor } from './context-decorator.js';

interface Dependent {
  readonly key: string;
  readonly dependsOn: readonly string[];
}

/**
 * Sorts items so each comes after its dependencies. The sort is stable.
 * @param route name of the route, for errors
 * @param supplied keys that are set before the first item
 * @throws UnmetContributorDependencyError, ContributorCycleError
 */
export function inDependencyOrder<T extends Dependent>(
  items: readonly T[],
  route: string,
  supplied: ReadonlySet<string> = new Set(),
): T[] {
  const own = new Set(items.map(({ key }) => key));
  const keys = new Set([...supplied, ...own]);
  for (const { key, dependsOn } of items) {
    const unmet = dependsOn.find((dependency) => !keys.has(dependency));
    if (unmet !== undefined) throw new UnmetContributorDependencyError(key, unmet, route);
  }

  const ordered: T[] = [];
  const waiting = [...items];
  // An item can replace a supplied value with the same key. Other items that depend on this key
  // must wait for that item.
  const done = new Set([...supplied].filter((key) => !own.has(key)));
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ dependsOn }) => dependsOn.every((key) => done.has(key)));
    if (next === -1) throw new ContributorCycleError(circleIn(waiting), route);
    const [item] = waiting.splice(next, 1) as [T];
    done.add(item.key);
    ordered.push(item);
  }
  return ordered;
}

/** Follows dependencies until a key repeats. Each waiting item depends on another waiting item. */
function circleIn(waiting: readonly Dependent[]): string[] {
  const byKey = new Map(waiting.map((item) => [item.key, item]));
  const path: string[] = [];
  let item = waiting[0];
  while (item !== undefined && !path.includes(item.key)) {
    path.push(item.key);
    item = byKey.get(item.dependsOn.find((key) => byKey.has(key)) ?? '');
  }
  return item === undefined ? path : [...path.slice(path.indexOf(item.key)), item.key];
}

/** The levels of registration, from the lowest precedence to the highest. */
export const LEVELS = ['global', 'adapter', 'module', 'class', 'method'] as const;

export type ContributorsByLevel = Readonly<Record<(typeof LEVELS)[number], readonly Contributor[]>>;

/**
 * If several levels set a key, uses the level with the highest precedence.
 * @throws DuplicateContributorError if one level has two contributors for a key
 */
export function strongestContributors(levels: ContributorsByLevel, route: string): Contributor[] {
  const chosen = new Map<string, Contributor>();
  for (const level of LEVELS) {
    const here = new Map<string, Contributor>();
    for (const contributor of levels[level]) {
      const { key } = contributor;
      // The same decorator may be registered twice, for example by two modules that share a
      // controller.
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
