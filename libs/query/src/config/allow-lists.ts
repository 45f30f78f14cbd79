import { InvalidQueryConfigError } from '../query.errors.js';
import type { QueryFieldConfig } from './field-config.js';
import { onceFor, onceForContent } from './once-for.js';
import {
  FILTER_OPERATORS,
  type FilterOperator,
  OPT_IN_OPERATORS,
  type OptInOperator,
} from './operators.js';

/** What may be used, by the text that stands for it: looked up at one cost for one field or a thousand. */
export interface AllowLists {
  /** By `field:operator`, opt-in operators included. Undefined: every field but the inherited ones. */
  readonly filters: ReadonlyMap<string, AllowedFilter> | undefined;
  readonly filterable: ReadonlySet<string> | undefined;
  readonly sortable: ReadonlySet<string> | undefined;
}

export interface AllowedFilter {
  readonly field: string;
  readonly operator: FilterOperator | OptInOperator;
}

/** Without a config. */
export const OPEN_LISTS: AllowLists = {
  filters: undefined,
  filterable: undefined,
  sortable: undefined,
};

/**
 * The allow-lists of a config; a config is looked at once, so later changes to it go unnoticed.
 * @throws InvalidQueryConfigError
 */
export const allowListsOf: (config: QueryFieldConfig) => AllowLists = onceFor((config) =>
  listsOf(namesIn(config)),
);

const listsOf = onceForContent(JSON.stringify, ({ filterable, sortable }: Names): AllowLists => {
  const filters = new Map<string, AllowedFilter>();
  for (const field of filterable) {
    // An item is cut at its first colon, so no item has such a field.
    if (field === '' || field.includes(':')) continue;
    for (const operator of [...FILTER_OPERATORS, ...OPT_IN_OPERATORS]) {
      filters.set(`${field}:${operator}`, { field, operator });
    }
  }
  return { filters, filterable: new Set(filterable), sortable: new Set(sortable) };
});

/** Whether a list has the field. Without a list: whether no object has it by itself. */
export function allows(list: ReadonlySet<string> | undefined, field: string): boolean {
  return list === undefined ? !INHERITED.has(field) : list.has(field);
}

const INHERITED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

interface Names {
  readonly filterable: readonly string[];
  readonly sortable: readonly string[];
}

function namesIn(config: QueryFieldConfig): Names {
  const safe = (names: readonly string[]) => names.filter((name) => name !== '__proto__');
  if (!('columns' in config)) {
    listOf('searchable', config.searchable);
    return {
      filterable: safe(listOf('filterable', config.filterable)),
      sortable: safe(listOf('sortable', config.sortable)),
    };
  }
  const { columns, sortable = columns } = config;
  listOf('searchColumns', config.searchColumns);
  return {
    filterable: safe(namesOf('columns', columns)),
    sortable: safe(namesOf('sortable', sortable)),
  };
}

function listOf(name: string, list: readonly unknown[] | undefined): readonly string[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) {
    list.forEach((item, i) => given(`${name}[${i}]`, item));
    return list as readonly string[];
  }
  throw new InvalidQueryConfigError(
    `${name} of a query config is no list.`,
    `Write ${name}: ['status'].`,
  );
}

function namesOf(name: string, record: unknown): readonly string[] {
  if (typeof record === 'object' && record !== null) {
    for (const [field, column] of Object.entries(record)) given(`${name}.${field}`, column);
    return Object.keys(record);
  }
  throw new InvalidQueryConfigError(
    `${name} of a query config is no record.`,
    `Write ${name}: { status: <column> }.`,
  );
}

/** A misspelled property of a table is undefined. */
function given(place: string, value: unknown): void {
  if (value !== undefined) return;
  throw new InvalidQueryConfigError(
    `${place} of a query config is undefined.`,
    'Name a column that exists, or leave it out.',
  );
}
