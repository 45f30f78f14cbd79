import { describe, expect, it } from '@jest/globals';
import {
  atLeast,
  checked,
  count,
  feature,
  flag,
  group,
  groupIfGiven,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  Place,
  readOptions,
  someOf,
} from './index.js';

interface Limits {
  readonly max?: number;
}
interface Options {
  readonly name: string;
  readonly mode?: 'fast' | 'safe';
  readonly isOn?: boolean;
  readonly kinds?: readonly ('a' | 'b')[];
  readonly limits?: Limits;
  readonly cache?: Limits;
}

const LIMITS = { max: count.default(5) } satisfies OptionTable<Limits>;
const TABLE = {
  name: kind<string>('a string', (value) => typeof value === 'string').required,
  mode: oneOf('fast', 'safe').default('safe'),
  isOn: flag.optional,
  kinds: someOf('a', 'b'),
  limits: group<Limits, typeof LIMITS>(LIMITS),
  cache: groupIfGiven<Limits, typeof LIMITS>(LIMITS),
} satisfies OptionTable<Options>;

const place = new Place(
  (message) => new RangeError(message),
  (path) => `Module.forRoot(${path && `{ ${path} }`})`,
);
const read = (given: unknown) => readOptions(given, TABLE, place);

describe('readOptions', () => {
  it('applies every default', () => {
    expect(read({ name: 'a' })).toEqual({
      name: 'a',
      mode: 'safe',
      isOn: undefined,
      kinds: [],
      limits: { max: 5 },
      cache: undefined,
    });
    expect(read({ name: 'a', cache: {}, kinds: ['b'] })).toMatchObject({ cache: { max: 5 } });
  });

  it.each<[unknown, string]>([
    [
      { nam: 'a' },
      'Module.forRoot({ nam }) is not an option. Did you mean name? The options are name, mode,',
    ],
    [
      { name: 'a', xyz: 1 },
      'Module.forRoot({ xyz }) is not an option. The options are name, mode,',
    ],
    [
      { name: 'a', limits: { mx: 1 } },
      'Module.forRoot({ limits.mx }) is not an option. Did you mean max? The options are max.',
    ],
    [{}, 'Module.forRoot({ name }) is undefined, but must be a string.'],
    [
      { name: 'a', mode: 'fats' },
      `Module.forRoot({ mode }) is "fats", but must be 'fast' or 'safe'.`,
    ],
    [{ name: 'a', isOn: 'yes' }, 'Module.forRoot({ isOn }) is "yes", but must be true or false.'],
    [
      { name: 'a', kinds: ['a', 'c'] },
      `Module.forRoot({ kinds[1] }) is "c", but must be 'a' or 'b'.`,
    ],
    [{ name: 'a', kinds: 'a' }, 'Module.forRoot({ kinds }) is "a", but must be a list of a, b.'],
    [
      { name: 'a', limits: { max: 0 } },
      'Module.forRoot({ limits.max }) is 0, but must be a whole number of at least 1.',
    ],
    [{ name: 'a', limits: null }, 'Module.forRoot({ limits }) is null, but must be an object with'],
    [
      { name: 'a', cache: [] },
      'Module.forRoot({ cache }) is an empty list, but must be an object with',
    ],
    [null, 'Module.forRoot() is null, but must be an object with name, mode,'],
    ['x', 'Module.forRoot() is "x", but must be an object'],
  ])('refuses %j', (given, message) => {
    expect(() => read(given)).toThrow(RangeError);
    expect(() => read(given)).toThrow(message);
  });

  it('reads the items of a list, also objects', () => {
    const item = group<Limits, typeof LIMITS>(LIMITS);
    const table = {
      items: listOf(item, 1).optional,
      kept: checked(listOf(item).required).optional,
    };
    const given = [{}, { max: 2 }];
    expect(readOptions({ items: given, kept: given }, table, place)).toEqual({
      items: [{ max: 5 }, { max: 2 }],
      kept: given,
    });
    expect(readOptions({}, table, place)).toEqual({});
    for (const [wrong, message] of [
      [{ items: [] }, '{ items }) is an empty list, but must be a list with at least one item.'],
      [{ items: 'a' }, '{ items }) is "a", but must be a list.'],
      [{ kept: [{}, { mx: 1 }] }, '{ kept[1].mx }) is not an option. Did you mean max?'],
    ] as const) {
      expect(() => readOptions(wrong, table, place)).toThrow(message);
    }
  });

  it('turns a feature on with true or options', () => {
    const table = { on: feature<Limits, typeof LIMITS>(LIMITS) };
    const on = (given: unknown) => readOptions({ on: given }, table, place).on;
    expect([true, { max: 2 }, false, undefined].map(on)).toEqual([
      { max: 5 },
      { max: 2 },
      undefined,
      undefined,
    ]);
    expect(() => on('yes')).toThrow('is "yes", but must be an object with max or true or false.');
  });

  it('accepts numbers in a range only', () => {
    const table = { size: atLeast(2, 4).required };
    for (const size of [1, 5, 2.5, '3', NaN]) {
      expect(() => readOptions({ size }, table, place)).toThrow('a whole number from 2 to 4');
    }
    expect(readOptions({ size: 3 }, table, place)).toEqual({ size: 3 });
  });
});
