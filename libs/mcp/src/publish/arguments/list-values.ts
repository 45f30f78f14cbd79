import { ArgumentError } from '../../mcp.errors.js';
import type { ArgumentPlace, ListForm } from '../schema/operation-input.js';
import { DelimitedList } from './url-parts.js';

type Entries = [name: string, value: unknown][];

/**
 * Returns a function that serializes lists in the form that the route reads. The function returns
 * all other values unchanged.
 * @throws ArgumentError if an item contains the separator, because the route would split the item
 * in two
 */
export function delimiterOf(places: readonly ArgumentPlace[]): (entries: Entries) => Entries {
  const forms = new Map(
    places.flatMap(({ target, name, argument, list }) =>
      target === 'query' && list ? [[name, { ...list, argument }] as const] : [],
    ),
  );
  if (forms.size === 0) return (entries) => entries;
  return (entries) =>
    entries.map(([name, value]) => {
      const form = forms.get(name);
      return [name, form && Array.isArray(value) ? written(value, form) : value];
    });
}

function written(
  items: readonly unknown[],
  { argument, separator, form }: ListForm & { readonly argument: string },
): unknown {
  const isSplit = form === 'joined' || items.length === 1;
  const split = items.find((item) => isSplit && String(item).includes(separator));
  if (split !== undefined) {
    throw new ArgumentError(
      argument,
      `has the item ${shown(split)}. The route would read this item as several items, because ` +
        `the route splits the value at ${JSON.stringify(separator)}`,
    );
  }
  return form === 'joined' ? new DelimitedList(items, separator) : items;
}

function shown(item: unknown): string {
  const text = JSON.stringify(item) ?? '';
  return text.length <= 60 ? text : `${text.slice(0, 60)}...`;
}
