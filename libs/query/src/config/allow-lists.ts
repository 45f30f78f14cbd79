import { InvalidQueryConfigError } from '../query.errors.js';
import { type DefaultKey, defaultOrderOf } from './default-sort-option.js';
import type { QueryFieldConfig } from './field-config.js';
import { nullOrderOf } from './null-order.js';
import { cacheByObject } from './cache-by-object.js';
import { checkColumnTypes } from './column-types.js';
import { checkConfigNames, placeInConfig } from './config-names.js';
import { checkSearchHook } from './search-hook.js';
import { type SummaryLists, summaryListsOf } from './summary-lists.js';

/** The allow-lists of a config. */
export interface AllowLists {
  /** If undefined, every field is allowed, because there is no config. */
  readonly filterable: ReadonlySet<string> | undefined;
  readonly sortable: ReadonlySet<string> | undefined;
  /** If undefined, `fields` is not read. */
  readonly selectable: ReadonlySet<string> | undefined;
  /** The order of a query without `sort`. Empty if the config has no default order. */
  readonly defaultOrder: readonly DefaultKey[];
  /** If undefined, `facets`, `aggregate` and `group` are not read. */
  readonly summary: SummaryLists | undefined;
}

/** The allow-lists of a query without a config. */
export const OPEN_LISTS: AllowLists = {
  filterable: undefined,
  sortable: undefined,
  selectable: undefined,
  defaultOrder: [],
  summary: undefined,
};

/** Cached by identity: later changes have no effect. @throws InvalidQueryConfigError */
export const allowListsOf: (config: QueryFieldConfig) => AllowLists = cacheByObject((config) => {
  checkConfigNames(config);
  nullOrderOf(config);
  checkSearchHook(config);
  const { filterable, sortable, selectable } = namesIn(config);
  return {
    filterable: new Set(filterable),
    sortable: new Set(sortable),
    selectable: selectable && new Set(selectable),
    defaultOrder: defaultOrderOf(config, sortable),
    summary: summaryListsOf(config),
  };
});

/**
 * Returns true if the list contains the field. If there is no list, returns true for every field
 * except inherited properties such as `__proto__`.
 */
export function allows(list: ReadonlySet<string> | undefined, field: string): boolean {
  return list === undefined ? !INHERITED.has(field) : list.has(field);
}

const INHERITED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

interface Names {
  readonly filterable: readonly string[];
  readonly sortable: readonly string[];
  readonly selectable: readonly string[] | undefined;
}

function namesIn(config: QueryFieldConfig): Names {
  const safe = (names: readonly string[]) => names.filter((name) => name !== '__proto__');
  if (!('columns' in config)) {
    fieldsOf('searchable', config.searchable);
    return {
      filterable: safe(fieldsOf('filterable', config.filterable)),
      sortable: safe(fieldsOf('sortable', config.sortable)),
      selectable: config.selectable && safe(fieldsOf('selectable', config.selectable)),
    };
  }
  const { columns, sortable = columns, selectable } = config;
  checkColumnTypes(config);
  listOf('searchColumns', config.searchColumns);
  return {
    filterable: safe(namesOf('columns', columns)),
    sortable: safe(namesOf('sortable', sortable)),
    selectable: selectable && safe(membersOf(selectable)),
  };
}

function membersOf(selectable: readonly string[] | object): readonly string[] {
  return Array.isArray(selectable)
    ? fieldsOf('selectable', selectable)
    : namesOf('selectable', selectable);
}

function fieldsOf(name: string, list: readonly unknown[] | undefined): readonly string[] {
  return listOf(name, list).map((item, i) => {
    if (typeof item === 'string') return item;
    const { name: field } = (item ?? {}) as { readonly name?: unknown };
    throw placeInConfig(`${name}[${i}]`).wrong(
      item,
      `the name of a field, such as '${typeof field === 'string' ? field : 'status'}'. ` +
        'To declare the types of columns, use `columns` instead of lists of names',
    );
  });
}

function listOf(name: string, list: readonly unknown[] | undefined): readonly unknown[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) {
    list.forEach((item, i) => requireDefined(`${name}[${i}]`, item));
    return list;
  }
  throw new InvalidQueryConfigError(
    `\`${name}\` of a query config is not an array.`,
    `Write ${name}: ['status'].`,
  );
}

function namesOf(name: string, record: unknown): readonly string[] {
  if (typeof record === 'object' && record !== null) {
    for (const [field, column] of Object.entries(record))
      requireDefined(`${name}.${field}`, column);
    return Object.keys(record);
  }
  throw new InvalidQueryConfigError(
    `\`${name}\` of a query config is not an object.`,
    `Write ${name}: { status: <column> }.`,
  );
}

/** A column is undefined if a property of a table is misspelled. */
function requireDefined(path: string, value: unknown): void {
  if (value !== undefined) return;
  throw new InvalidQueryConfigError(
    `\`${path}\` of a query config is undefined.`,
    'Set it to an existing column, or remove it.',
  );
}
