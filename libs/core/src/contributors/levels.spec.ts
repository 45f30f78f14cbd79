import { describe, expect, it } from '@jest/globals';
import { type Contributor, defineHttpContextDecorator } from './context-decorator.js';
import { type ContributorsByLevel, LEVELS, strongestContributors } from './levels.js';

const of = (key: string): Contributor =>
  defineHttpContextDecorator({ key, resolve: () => key }).contributor;

const none: ContributorsByLevel = { global: [], adapter: [], module: [], class: [], method: [] };

describe('strongestContributors', () => {
  it('lets each level replace the ones below it', () => {
    const users = Object.fromEntries(LEVELS.map((level) => [level, of('user')]));
    let levels = none;
    for (const level of LEVELS) {
      levels = { ...levels, [level]: [users[level]] };
      expect(strongestContributors(levels, 'X.y')).toEqual([users[level]]);
    }
    expect(LEVELS).toEqual(['global', 'adapter', 'module', 'class', 'method']);
  });

  it('keeps the order of levels and, within one, of the list', () => {
    const [a, b, c, strongA] = [of('a'), of('b'), of('c'), of('a')];
    const levels = { ...none, global: [a, b], method: [c, strongA] };
    expect(strongestContributors(levels, 'X.y')).toEqual([b, c, strongA]);
    expect(strongestContributors(levels, 'X.y')[2]).toBe(strongA);
  });

  it.each(LEVELS)('refuses two for one key at %s level, but not one that came twice', (level) => {
    const user = of('user');
    expect(strongestContributors({ ...none, [level]: [user, user] }, 'X.y')).toEqual([user]);
    expect(() => strongestContributors({ ...none, [level]: [user, of('user')] }, 'X.y')).toThrow(
      `Context key "user" of X.y is supplied twice at ${level} level.`,
    );
  });
});
