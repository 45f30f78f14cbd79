import type { Arguments } from '../format/tool-request.js';
import type { Field } from './field-model.js';

/** Sets one argument. Undefined removes it. */
export function withArgument(args: Arguments, name: string, value: unknown): Arguments {
  const changed = { ...args, [name]: value };
  if (value === undefined) delete changed[name];
  return changed;
}

/** Sorts the arguments in the order of the fields. Unknown arguments come last. */
export function inFieldOrder(args: Arguments, fields: readonly Field[]): Arguments {
  const known = fields.map(({ name }) => name).filter((name) => name in args);
  const rest = Object.keys(args).filter((name) => !known.includes(name));
  return Object.fromEntries([...known, ...rest].map((name) => [name, args[name]]));
}

/** Returns the initial value of a new list item. */
export function emptyItem(item: Field): unknown {
  switch (item.kind) {
    case 'text':
      return '';
    case 'number':
      return 0;
    case 'choice':
      return item.choices[0];
    case 'list':
      return [];
    case 'object':
      return {};
    case 'json':
      return null;
  }
}

/**
 * Returns the number that a text contains. Text that is not a number is returned unchanged, and the
 * server then rejects it with a reason. Returns undefined for an empty text.
 */
export function numberFrom(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : text;
}

/** Formats a value for a control: strings unchanged, other values as JSON. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
