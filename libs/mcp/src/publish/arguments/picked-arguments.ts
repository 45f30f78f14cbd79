import { ArgumentError } from '../../mcp.errors.js';
import type { OperationInput } from '../schema/operation-input.js';

export type Arguments = Readonly<Record<string, unknown>>;

export type Entries = [name: string, value: unknown][];

export type Picker = (args: Arguments) => Entries;

/**
 * Selects the arguments of the query string or of the body. The keys of the result are the names in
 * the request. The picker throws an ArgumentError if the name of an argument outside the schema
 * belongs to an argument of the schema, or if the route would read the name as an object. It could
 * replace an argument of the schema, and its value was not validated.
 * @param isOneName returns false for a name that the route would read as an object
 */
export function pickerOf(
  { places, rest }: OperationInput,
  target: 'query' | 'body',
  isOneName: (name: string) => boolean,
): Picker {
  const named = places.filter((candidate) => candidate.target === target);
  const known = new Set(places.map(({ argument }) => argument));

  const refuse = (name: string): void => {
    const taken = named.find((place) => place.name === name || place.name.startsWith(`${name}[`));
    if (taken) {
      const reason = `is published as "${taken.argument}". Send it with that name`;
      throw new ArgumentError(name, reason);
    }
    if (isOneName(name)) return;
    const reason = 'has a name that the route would read as an object. Send an object instead';
    throw new ArgumentError(name, reason);
  };

  return (args) => {
    const found: Entries = [];
    for (const { argument, name } of named) {
      const value = own(args, argument);
      if (value !== undefined) found.push([name, value]);
    }
    if (rest !== target) return found;
    const others = Object.entries(args).filter(([name]) => !known.has(name));
    for (const [name] of others) refuse(name);
    return [...found, ...others];
  };
}

/** Returns the value of an argument. Ignores inherited properties, such as `toString`. */
export function own(args: Arguments, argument: string): unknown {
  return Object.hasOwn(args, argument) ? args[argument] : undefined;
}
