import { allowListsOf } from '../config/allow-lists.js';
import type { QueryFieldConfig } from '../config/field-config.js';
import { FILTER_OPERATORS } from '../config/operators.js';
import { type ResolvedQueryOptions, resolveQueryOptions } from '../config/query-options.js';
import type { RouteQueryOptions } from './query-module.options.js';

/** A JSON Schema in the words that its 2020-12 draft and OpenAPI 3.0 share. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The query parameters of a list as an object schema: what @nestjs/swagger documents and @fledge/mcp gives
 * a tool. Parameters that could have no effect are left out.
 */
export function querySchemaOf(
  config: QueryFieldConfig | undefined,
  options: RouteQueryOptions,
): JsonSchema {
  const resolved = resolveQueryOptions(options);
  const lists = config && allowListsOf(config);
  const filter = filterSchema(namesOf(lists?.filterable, isFilterable), resolved);
  const sort = sortSchema(namesOf(lists?.sortable, Boolean), resolved);
  return {
    type: 'object',
    properties: {
      ...(filter && { filter }),
      ...(sort && { sort }),
      page: { type: 'integer', minimum: 1, default: 1, description: 'Which page, from 1.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: resolved.maxLimit,
        default: resolved.defaultLimit,
        description: 'Items a page.',
      },
      ...(searches(config) && {
        q: {
          type: 'string',
          maxLength: resolved.maxSearchLength,
          description: 'Text to search for.',
        },
      }),
    },
  };
}

/** Names that stand open (`undefined`) or in a list, of which the empty one takes the parameter away. */
type Names = readonly string[] | undefined;

function filterSchema(fields: Names, options: ResolvedQueryOptions): JsonSchema | undefined {
  if (fields?.length === 0) return undefined;
  const operators = [...FILTER_OPERATORS, ...options.operators];
  const lists = ['in', 'nin', 'between'].filter((name) => operators.includes(name as 'in'));
  return {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^${fields ? anyOf(fields) : '[^:]+'}:${anyOf(operators)}:[\\s\\S]`,
    },
    maxItems: options.maxFilters,
    description:
      'Conditions that all have to hold, each written field:operator:value. ' +
      (fields ? `Fields: ${fields.join(', ')}. ` : '') +
      `Operators: ${operators.join(', ')}. ` +
      `Values of ${lists.join(', ')} are separated by commas; between takes two.`,
  };
}

function sortSchema(fields: Names, options: ResolvedQueryOptions): JsonSchema | undefined {
  if (fields?.length === 0) return undefined;
  return {
    type: 'array',
    items: {
      type: 'string',
      ...(fields
        ? { enum: fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]) }
        : { pattern: '^[^:]+:(?:asc|desc)$' }),
    },
    maxItems: options.maxSort,
    description: 'Order, the strongest first, each written field:direction.',
  };
}

function namesOf(list: Iterable<string> | undefined, usable: (name: string) => boolean): Names {
  return list && [...list].filter(usable);
}

/** An item is cut at its first colon, so no item has a field with one. */
function isFilterable(field: string): boolean {
  return field !== '' && !field.includes(':');
}

/** Only who lists nothing to search says that `q` has no effect: a handler may search by itself. */
function searches(config: QueryFieldConfig | undefined): boolean {
  if (config === undefined) return true;
  const columns = 'columns' in config ? config.searchColumns : config.searchable;
  return columns === undefined || columns.length > 0;
}

function anyOf(texts: readonly string[]): string {
  return `(?:${texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})`;
}
