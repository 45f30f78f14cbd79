// An option table has one line for each option: its check and its default. The type of the options
// after every default is applied is derived from the table.

import { nearestTo } from './nearest.js';

/** The rule that reads an option. Users write `Given`, and the library works with `Read`. */
export interface Rule<Given, Read> {
  // This is a property and not a method. The compiler then rejects a rule that accepts fewer values
  // than users may write.
  readonly read: (given: Given, place: Place) => Read;
}

/**
 * A rule for each option. Write `{ ... } satisfies OptionTable<QueryLimits>`. The compiler then
 * rejects missing names, unknown names and rules of another type. It also rejects a rule that is
 * optional if the option is required, and the reverse.
 */
export type OptionTable<Given extends object> = {
  readonly [Name in keyof Given]-?: Rule<
    Given[Name],
    undefined extends Given[Name] ? unknown : NonNullable<unknown> | null
  >;
};

/** The type of the options after every default is applied. */
export type ReadOptions<Rules> = {
  readonly [Name in keyof Rules]: Rules[Name] extends Rule<never, infer Read> ? Read : never;
};

/** The place of an option, for messages. */
export class Place {
  /**
   * @param toError makes the library's own error from a message
   * @param write formats the place of a path: `McpModule.forRoot({ search.pinned })`. The path is
   * empty if the place is all options together
   */
  constructor(
    private readonly toError: (message: string) => Error,
    private readonly write: (path: string) => string,
    readonly path = '',
  ) {}

  /**
   * Returns the place of the options that one call receives: `TenantModule.forRoot({ cache.max })`.
   * @param which text after the call, if there are several such calls, for example ` of DB`
   */
  static ofCall(toError: (message: string) => Error, call: string, which = ''): Place {
    return new Place(toError, (path) => `${call}(${path && `{ ${path} }`})${which}`);
  }

  /** @param name a property such as `pinned`, or an index such as `[0]` */
  at(name: string): Place {
    const dot = this.path === '' || name.startsWith('[') ? '' : '.';
    return new Place(this.toError, this.write, this.path + dot + name);
  }

  error(fault: string): Error {
    return this.toError(`${this.write(this.path)} ${fault}.`);
  }

  wrong(value: unknown, must: string): Error {
    return this.error(`is ${textOf(value)}, but must be ${must}`);
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'function') return value.name ? `the function ${value.name}` : 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/**
 * Reads the options of a table from an object that has no other options.
 * @param or text for messages: other values that the option accepts
 * @throws the error of the place, if a name is unknown or a value is wrong
 */
export function readOptions<Rules extends object>(
  given: unknown,
  rules: Rules,
  place: Place,
  or = '',
): ReadOptions<Rules> {
  checkNames(given, Object.keys(rules), place, or);
  return readValues(given, rules, place);
}

/**
 * Reads the options of a table from an object that may have other options.
 * @throws the error of the place, if a value is wrong
 */
export function readValues<Rules extends object>(
  given: object,
  rules: Rules,
  place: Place,
): ReadOptions<Rules> {
  const entries = Object.entries<Rule<never, unknown>>(rules as never);
  return Object.fromEntries(
    entries.map(([name, { read }]) => [
      name,
      read((given as Record<string, unknown>)[name] as never, place.at(name)),
    ]),
  ) as ReadOptions<Rules>;
}

/**
 * Checks only the names in an object, not the values.
 * @throws the error of the place, if a name is unknown or the value is not an object
 */
export function checkNames(
  given: unknown,
  names: readonly string[],
  place: Place,
  or = '',
): asserts given is Readonly<Record<string, unknown>> {
  // A promise has no properties, so every option would have its default.
  if (!isObject(given) || given instanceof Promise) {
    throw place.wrong(given, `an object with ${names.join(', ')}${or}`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw place.at(unknown).error(adviceOn(unknown, names));
}

/** Returns the message for an unknown name, without the place and the full stop. */
export function adviceOn(unknown: string, names: readonly string[]): string {
  const nearest = nearestTo(unknown, names);
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `is not an option.${guess} The options are ${names.join(', ')}`;
}

/** @param must the end of the message `is 0, but must be ...` */
export function kind<Value>(must: string, fits: (value: unknown) => boolean) {
  return readBy<Value, Value>((value, place) => {
    if (!fits(value)) throw place.wrong(value, must);
    return value;
  });
}

export function rule<Given, Read>(read: Rule<Given, Read>['read']): Rule<Given, Read> {
  return { read };
}

/** Accepts any value. A later step checks these options and has its own message. */
export const checkedLater = rule<unknown, unknown>((given) => given);

/**
 * Reads a group of options. If the group is missing, all its defaults apply. Write the type
 * arguments if the rule is not directly in a table with `satisfies`: `listOf(group<Icon, typeof
 * ICON>(ICON))`. Without them, the compiler accepts the table of another group.
 */
export function group<Given extends object, Rules extends OptionTable<Given>>(rules: Rules) {
  return rule((given: Given | undefined, place) =>
    readOptions(given === undefined ? {} : given, rules, place),
  );
}

/** Reads the options of a feature. The feature is off if the options are missing. */
export function groupIfGiven<Given extends object, Rules extends OptionTable<Given>>(rules: Rules) {
  return rule((given: Given | undefined, place) =>
    given === undefined ? undefined : readOptions(given, rules, place),
  );
}

export const flag = kind<boolean>('true or false', (value) => typeof value === 'boolean');
export const text = kind<string>('a string', (value) => typeof value === 'string');
/** @param must the end of the message `is "", but must be ...` */
export function filledText(must: string) {
  return kind<string>(must, (value) => typeof value === 'string' && value !== '');
}
export const texts = listOf(text.required);
/** A duration in milliseconds. Infinity is allowed. */
export const milliseconds = kind<number>(
  'a number of milliseconds of at least 0',
  (value) => typeof value === 'number' && value >= 0,
);

export function callback<Callback>() {
  return kind<Callback>('a function', (value) => typeof value === 'function');
}

export const count = atLeast(1);

/** A whole number from `min` to `max`. */
export function atLeast(min: number, max = Number.MAX_SAFE_INTEGER) {
  const must =
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${min}`
      : `a whole number from ${min} to ${max}`;
  return kind<number>(
    must,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  );
}

/** A list that contains only these strings. */
export function someOf<const Values extends readonly string[]>(...values: Values) {
  const { required } = oneOf(...values);
  const read = (given: readonly Values[number][], place: Place) => {
    if (!Array.isArray(given)) throw place.wrong(given, `a list of ${values.join(', ')}`);
    return given.map((each, i) => required.read(each as Values[number], place.at(`[${i}]`)));
  };
  return rule((given: readonly Values[number][] | undefined, place) => read(given ?? [], place));
}

/** One of these strings. */
export function oneOf<const Values extends readonly string[]>(...values: Values) {
  const must = values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');
  return kind<Values[number]>(must, (value) => values.includes(value as string));
}

/** Returns true for objects, but not for arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for object literals and parsed JSON objects, but not for instances of classes. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns the value if it is an object, or else an empty object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/**
 * Returns three rules that read a value in the same way. The option of each rule is required, is
 * optional, or has a default.
 */
export function readBy<Given, Read>(read: Rule<Given, Read>['read']) {
  const or = <Else>(instead: Else) =>
    rule<Given | undefined, Read | Else>((given, place) =>
      given === undefined ? instead : read(given, place),
    );
  return {
    required: rule<Given, Read>(read),
    optional: or(undefined),
    default: (value: NoInfer<Read>) => or<Read>(value),
  };
}

/**
 * A list. The rule `each` reads every item.
 * @param least minimum number of items
 */
export function listOf<Given, Read>(each: Rule<Given, Read>, least: 0 | 1 = 0) {
  return readBy<readonly Given[], readonly Read[]>((given, place) => {
    if (!Array.isArray(given)) throw place.wrong(given, 'a list');
    if (given.length < least) throw place.wrong(given, 'a list with at least one item');
    return given.map((item, i) => each.read(item as Given, place.at(`[${i}]`)));
  });
}

/**
 * Reads the options of a feature that is off by default. `true` or an object turns the feature on.
 */
export function feature<Given extends object, Rules extends OptionTable<Given>>(rules: Rules) {
  return rule((given: Given | boolean | undefined, place) =>
    given === undefined || given === false
      ? undefined
      : readOptions(given === true ? {} : given, rules, place, ' or true or false'),
  );
}

/** Checks a value with a rule, and returns the value unchanged. */
export function checked<Given>(by: Rule<Given, unknown>) {
  return readBy<Given, Given>((given, place) => {
    by.read(given, place);
    return given;
  });
}
