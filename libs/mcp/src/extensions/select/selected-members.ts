import { isObject } from '@fledge-internal/options';
import { parsedJson } from '../../serve/protocol/json-rpc.js';
import type { ToolResult } from '../../serve/results/tool-result.js';

/** The fields to keep, by name. If a field has an empty map, everything in the field is kept. */
type Selected = Map<string, Selected>;

/** Maximum number of notes about missing fields. */
const MOST_NOTES = 10;
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

/** Maximum number of paths. Each path takes time for each record of a response. */
export const MOST_PATHS = 100;

/**
 * Keeps only the selected fields of a JSON result. `owner.name` is the field `name` of the field
 * `owner`. In a list, a path selects fields of the items. Notes list the fields that do not exist,
 * and the names that exist. There is no error for such fields, because the route has already run. A
 * result that is not JSON is returned unchanged.
 */
export function selectMembers(result: ToolResult, paths: readonly string[]): ToolResult {
  const [first, ...others] = result.content;
  if (first?.type !== 'text' || paths.length === 0) return result;
  const value = parsedJson(first.text);
  if (typeof value !== 'object' || value === null) return result;
  const selected = selectionOf(paths);
  const text = JSON.stringify(project(value, selected));
  const notes = missingNotes([value], selected, []);
  const more = notes.length - MOST_NOTES;
  const told = notes.slice(0, MOST_NOTES);
  if (more > 0) told.push(`(${more} more of the selected fields do not exist)`);
  const blocks = told.map((note) => ({ type: 'text', text: note }) as const);
  return { ...result, content: [{ type: 'text', text }, ...blocks, ...others] };
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
 * Returns a note for each selected field that does not exist. Returns no notes for fields in empty
 * lists, because these fields may exist in other results.
 * @param values all values at this place in the response
 * @param place names of the fields that lead to the values
 */
function missingNotes(
  values: readonly unknown[],
  selected: Selected,
  place: readonly string[],
): string[] {
  if (selected.size === 0 || values.every(isEmptyList)) return [];
  const records = values.flatMap(itemsOf).filter(isObject);
  const known = new Set(records.flatMap((record) => Object.keys(record)));
  const names = namesOf(known);
  return [...selected].flatMap(([name, inside]) => {
    const path = [...place, name];
    if (known.has(name)) {
      const owners = records.filter((record) => Object.hasOwn(record, name));
      return missingNotes(
        owners.map((owner) => owner[name]),
        inside,
        path,
      );
    }
    const [whole, missing] = [path.join('.'), name].map((each) => `"${shortened(each)}"`);
    return [`(there is no field ${whole}; instead of ${missing}, these exist: ${names})`];
  });
}

function namesOf(known: ReadonlySet<string>): string {
  const names = [...known].slice(0, MOST_NAMES).map(shortened).join(', ') || 'none';
  return known.size > MOST_NAMES ? `${names}, ...` : names;
}

function shortened(name: string): string {
  return name.slice(0, 128);
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flatMap(itemsOf) : [value];
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && itemsOf(value).length === 0;
}
