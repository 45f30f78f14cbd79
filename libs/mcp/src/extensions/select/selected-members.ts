import { isObject } from '@fledge-internal/options';
import { parsedJson } from '../../serve/protocol/json-rpc.js';
import type { ToolResult } from '../../serve/results/tool-result.js';

/** The fields to keep, by name. If a field has an empty map, everything in the field is kept. */
type Selected = Map<string, Selected>;

/** Maximum number of names in a note. */
const MOST_NAMES = 20;

/**
 * Reads the paths from an argument: a list, or a comma-separated string. Returns undefined for any
 * other value.
 */
export function pathsOf(value: unknown): readonly string[] | undefined {
  const list: unknown = typeof value === 'string' ? value.split(',') : (value ?? []);
  if (!Array.isArray(list) || !list.every((path) => typeof path === 'string')) return undefined;
  return list.map((path) => path.trim()).filter((path) => path !== '');
}

/**
 * Keeps only the selected fields of a JSON result. `owner.name` is the field `name` of the field
 * `owner`. In a list, a path selects fields of the items. A note lists the paths that do not exist,
 * and the names that exist. There is no error for such paths, because the route has already run. A
 * result that is not JSON is returned unchanged.
 */
export function selectMembers(result: ToolResult, paths: readonly string[]): ToolResult {
  const [first, ...others] = result.content;
  if (first?.type !== 'text' || paths.length === 0) return result;
  const value = parsedJson(first.text);
  if (typeof value !== 'object' || value === null) return result;
  const selected = selectionOf(paths);
  const text = JSON.stringify(project(value, selected));
  const notes = paths.flatMap((path) => missingNote(value, path.split('.')) ?? []);
  const told = [...new Set(notes)].map((note) => ({ type: 'text', text: note }) as const);
  return { ...result, content: [{ type: 'text', text }, ...told, ...others] };
}

function selectionOf(paths: readonly string[]): Selected {
  const root: Selected = new Map<string, Selected>();
  // Shorter paths come first. A shorter path keeps a complete field, so longer paths in this field
  // change nothing.
  for (const path of [...paths].sort((left, right) => left.length - right.length)) {
    let at = root;
    for (const name of path.split('.')) {
      const known = at.get(name);
      if (known?.size === 0) break;
      const next: Selected = known ?? new Map<string, Selected>();
      at.set(name, next);
      at = next;
    }
  }
  return root;
}

function project(value: unknown, selected: Selected): unknown {
  if (selected.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, selected));
  if (!isObject(value)) return value;
  // The object is built from entries, so `__proto__` is a field like any other.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = selected.get(name);
      return inside ? [[name, project(member, inside)]] : [];
    }),
  );
}

/**
 * Returns undefined if the path exists. Also returns undefined if a list on the path is empty. The
 * path may exist in other results.
 */
function missingNote(value: unknown, path: readonly string[]): string | undefined {
  let at = [value];
  for (const name of path) {
    const records = at.flatMap(itemsOf).filter(isObject);
    if (at.length > 0 && at.every(isEmptyList)) return undefined;
    const next = records.filter((record) => Object.hasOwn(record, name));
    if (next.length === 0) {
      const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
      const known = names.slice(0, MOST_NAMES).join(', ') || 'none';
      const more = names.length > MOST_NAMES ? ', ...' : '';
      const [whole, missing] = [quoted(path.join('.')), quoted(name)];
      return `(there is no field ${whole}; instead of ${missing}, these exist: ${known}${more})`;
    }
    at = next.map((record) => record[name]);
  }
  return undefined;
}

function quoted(name: string): string {
  return `"${name.slice(0, 128)}"`;
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flatMap(itemsOf) : [value];
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && itemsOf(value).length === 0;
}
