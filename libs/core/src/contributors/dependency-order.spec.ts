import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ContributorsByLevel,
  inDependencyOrder,
  LEVELS,
  strongestContributors,
} from './dependency-order.js';
import { type Contributor, defineHttpContextDecorator } from './context-decorator.js';

const item = (key: string, ...dependsOn: string[]) => ({ key, dependsOn });
const keysOf = (items: readonly { key: string }[]) => items.map(({ key }) => key);

/** Lists without circles: each item depends on some of those before it; then they are shuffled. */
const dags = fc
  .uniqueArray(fc.string({ minLength: 1 }), { maxLength: 12 })
  .chain((keys) =>
    fc.tuple(
      fc.constant(keys),
      fc.tuple(...keys.map((_, i) => fc.subarray(keys.slice(0, i)))),
      fc.shuffledSubarray([...keys.keys()], { minLength: keys.length, maxLength: keys.length }),
    ),
  )
  .map(([keys, dependsOn, order]) => {
    const sorted = keys.map((key, i) => item(key, ...(dependsOn[i] ?? [])));
    return { sorted, shuffled: order.map((i) => sorted[i]!) };
  });

describe('inDependencyOrder', () => {
  it('puts dependencies first and moves nothing else', () => {
    const items = [item('user', 'tenant'), item('locale'), item('tenant'), item('flags', 'user')];
    expect(keysOf(inDependencyOrder(items, 'X.y'))).toEqual(['locale', 'tenant', 'user', 'flags']);
  });

  it('takes what was supplied before as there, unless an item replaces it', () => {
    const supplied = new Set(['tenant']);
    expect(keysOf(inDependencyOrder([item('user', 'tenant')], 'X.y', supplied))).toEqual(['user']);
    const replaced = [item('user', 'tenant'), item('tenant')];
    expect(keysOf(inDependencyOrder(replaced, 'X.y', supplied))).toEqual(['tenant', 'user']);
  });

  it('keeps every item, each behind its dependencies', () => {
    fc.assert(
      fc.property(dags, ({ shuffled }) => {
        const ordered = inDependencyOrder(shuffled, 'X.y');
        expect(new Set(ordered)).toEqual(new Set(shuffled));
        expect(ordered).toHaveLength(shuffled.length);
        const keys = keysOf(ordered);
        for (const { key, dependsOn } of ordered) {
          for (const dependency of dependsOn) {
            expect(keys.indexOf(dependency)).toBeLessThan(keys.indexOf(key));
          }
        }
      }),
    );
  });

  it('leaves a list that is in order as it is', () => {
    fc.assert(
      fc.property(dags, ({ sorted }) => {
        expect(inDependencyOrder(sorted, 'X.y')).toEqual(sorted);
      }),
    );
  });

  it('names any circle as a closed path of dependencies', () => {
    const circles = fc.tuple(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 }),
      fc.nat(5),
    );
    fc.assert(
      fc.property(circles, ([keys, turn]) => {
        const circle = keys.map((key, i) => item(key, keys[(i + 1) % keys.length]!));
        const hanger = item(`on ${keys.join()}`, keys[turn % keys.length]!);
        const closed = new RegExp(/other: (.*)\. Remove/s);
        let path: string[] = [];
        try {
          inDependencyOrder([hanger, ...circle], 'X.y');
        } catch (error) {
          path = closed.exec((error as Error).message)?.[1]?.split(' → ') ?? [];
        }
        fc.pre(keys.every((key) => !key.includes(' → ')));
        expect(path).toHaveLength(keys.length + 1);
        expect(path[0]).toBe(path.at(-1));
        expect(new Set(path)).toEqual(new Set(keys));
      }),
    );
  });

  it.each([
    [[item('a', 'a')], 'a → a'],
    [[item('a', 'b'), item('b', 'a')], 'a → b → a'],
    [[item('x', 'b'), item('a', 'b'), item('b', 'c'), item('c', 'a')], 'b → c → a → b'],
  ])('says where %j goes round', (items, path) => {
    expect(() => inDependencyOrder(items, 'X.y')).toThrow(
      `Context keys of X.y depend on each other: ${path}.`,
    );
  });

  it('reports a missing dependency before a circle', () => {
    expect(() => inDependencyOrder([item('a', 'a'), item('b', 'gone')], 'X.y')).toThrow(
      'Context key "b" of X.y depends on "gone"',
    );
  });
});

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
      `Two decorators set the context key "user" of X.y at ${level} level.`,
    );
  });
});
