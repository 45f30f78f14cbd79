import type { Arguments } from '../format/tool-request.js';
import type { Field } from './field-model.js';

/** Sets one parameter. Undefined removes it, so that it is not sent. */
export function withArgument(args: Arguments, name: string, value: unknown): Arguments {
  const changed = { ...args, [name]: value };
  if (value === undefined) delete changed[name];
  return changed;
}

/** The arguments in the order of the fields; others after them. */
export function inFieldOrder(args: Arguments, fields: readonly Field[]): Arguments {
  const known = fields.map(({ name }) => name).filter((name) => name in args);
  const rest = Object.keys(args).filter((name) => !known.includes(name));
  return Object.fromEntries([...known, ...rest].map((name) => [name, args[name]]));
}

/** What a new row of a list holds. */
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
 * The value of a number's text: a number if it is one, otherwise the text itself, which the server
 * refuses with its reason. Undefined for an empty text.
 */
export function numberFrom(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : text;
}

/** A value as a control shows it: texts as they are, others as JSON. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
