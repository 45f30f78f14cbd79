import { adviceOn, isObject } from '@fledge-internal/options';

/** The names of a module's options: `true`, or the group of options in an object. */
export type KnownOptions<T extends object = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof T]-?: true | OptionGroup;
};

/** Options that stand in an object, `cache: { ttlMs, max }`, or in a list of objects. */
export interface OptionGroup {
  readonly known: KnownOptions;
  /** The option is a list of such objects. @default false */
  readonly isList?: boolean;
  /** Values accepted in place of the object, such as `false`. @default none but undefined */
  readonly or?: readonly unknown[];
}

/**
 * Throws for a name that is no option, and for options or a group that are no object. They would be
 * ignored otherwise: a misspelt `auth` leaves an endpoint open.
 *
 * @param call how the application passes them: `McpModule.forRoot`
 * @param OptionError the caller's own error, made from the message
 */
export function refuseUnknownOptions(
  given: unknown,
  known: KnownOptions,
  call: string,
  OptionError: new (message: string) => Error,
): void {
  // Applications in JavaScript may give anything, and a factory nothing.
  if (!isObject(given)) throw new OptionError(`${call}() needs an object with ${namesOf(known)}.`);
  const fault = faultIn(given, known);
  if (fault) throw new OptionError(`${call}({ ${fault.option} }) ${fault.reason}.`);
}

interface Fault {
  /** As it is written: `verify: { requird }`. */
  readonly option: string;
  readonly reason: string;
}

function faultIn(given: Readonly<Record<string, unknown>>, known: KnownOptions): Fault | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    return { option: unknown, reason: adviceOn(unknown, Object.keys(known)) };
  for (const [name, kind] of Object.entries(known)) {
    const value = given[name];
    if (kind === true || value === undefined || kind.or?.includes(value)) continue;
    const fault = kind.isList ? faultInList(name, value, kind) : faultInGroup(name, value, kind);
    if (fault) return fault;
  }
  return undefined;
}

function faultInGroup(
  option: string,
  value: unknown,
  { known, or }: OptionGroup,
): Fault | undefined {
  if (!isObject(value)) {
    const instead = or?.map((each) => ` or ${String(each)}`).join('') ?? '';
    return { option, reason: `must be an object with ${namesOf(known)}${instead}` };
  }
  const fault = faultIn(value, known);
  return fault && { ...fault, option: `${option}: { ${fault.option} }` };
}

function faultInList(option: string, value: unknown, group: OptionGroup): Fault | undefined {
  if (!Array.isArray(value)) {
    return { option, reason: `must be a list of objects with ${namesOf(group.known)}` };
  }
  for (const [i, item] of value.entries()) {
    const fault = faultInGroup(`${option}[${i}]`, item, group);
    if (fault) return fault;
  }
  return undefined;
}

function namesOf(known: KnownOptions): string {
  return Object.keys(known).join(', ');
}
