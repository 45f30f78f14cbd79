import { allowListsOf } from '../config/allow-lists.js';
import type { DefaultKey } from '../config/default-sort-option.js';
import type { QueryFieldConfig } from '../config/field-config.js';
import { FILTER_OPERATORS } from '../config/operators.js';
import { MAX_WHERE_DEPTH } from '../parse/where-syntax.js';
import { needsQuotes } from '../parse/where-syntax.js';
import { summaryProperties } from './summary-schema.js';
import { type ResolvedQueryOptions, resolveQueryOptions } from '../query.defaults.js';
import type { RouteQueryOptions } from '../query.options.js';

/** A JSON Schema with keywords that both draft 2020-12 and OpenAPI 3.0 have. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the query parameters of a list as a schema. @nestjs/swagger documents this schema, and
 * @fledge/mcp uses it for the input of a tool. Omits parameters without an effect.
 */
export function querySchemaOf(
  config: QueryFieldConfig | undefined,
  options: RouteQueryOptions,
): JsonSchema {
  const resolved = resolveQueryOptions(options);
  const lists = config && allowListsOf(config);
  const fields = namesOf(lists?.filterable, isFilterable);
  const filter = filterSchema(fields, resolved);
  const where = resolved.where ? whereSchema(fields, resolved) : undefined;
  const sort = sortSchema(namesOf(lists?.sortable, Boolean), lists?.defaultOrder ?? [], resolved);
  const members = fieldsSchema(namesOf(lists?.selectable, Boolean), resolved);
  return {
    type: 'object',
    properties: {
      ...(filter && { filter }),
      ...(where && { where }),
      ...(sort && { sort }),
      ...(members && { fields: members }),
      ...(resolved.cursors ? { after: AFTER, before: BEFORE } : { page: PAGE }),
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: resolved.maxLimit,
        default: resolved.defaultLimit,
        description: 'Items per page.',
      },
      ...(hasSearch(config) && {
        q: {
          type: 'string',
          maxLength: resolved.maxSearchLength,
          description: 'Text to search for.',
        },
      }),
      ...(lists?.summary && summaryProperties(lists.summary, resolved, config as QueryFieldConfig)),
    },
  };
}

const PAGE = { type: 'integer', minimum: 1, default: 1, description: 'Page number, from 1.' };
const AFTER = {
  type: 'string',
  description:
    'Cursor for the next page: `meta.nextCursor` of the last response. ' +
    'Omit `after` for the first page.',
};

const BEFORE = {
  type: 'string',
  description:
    'Cursor for the previous page: `meta.prevCursor` of the last response. ' +
    'Do not send `before` together with `after`.',
};

/** If undefined, any name is allowed. If empty, the parameter is omitted. */
type Names = readonly string[] | undefined;

const LIST_ONLY = ['sort', 'fields', 'page', 'after', 'before', 'limit'];

/** Omits the parameters that have no effect on summaries. */
export function withoutPage({ properties, ...schema }: JsonSchema): JsonSchema {
  const entries = Object.entries(properties as object);
  const used = entries.filter(([name]) => !LIST_ONLY.includes(name));
  return { ...schema, properties: Object.fromEntries(used) };
}

function filterSchema(fields: Names, options: ResolvedQueryOptions): JsonSchema | undefined {
  if (fields?.length === 0) return undefined;
  const operators = [...FILTER_OPERATORS, ...options.operators];
  const lists = ['in', 'nin', 'between']
    .filter((name) => operators.includes(name as 'in'))
    .map((name) => `\`${name}\``);
  return {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^${fields ? anyOf(fields) : '[^:]+'}:${anyOf(operators)}:[\\s\\S]`,
    },
    maxItems: options.maxFilters,
    description:
      'Conditions joined by AND, each written field:operator:value. ' +
      (fields ? `Fields: ${fields.join(', ')}. ` : '') +
      `Operators: ${operators.join(', ')}. ` +
      `Separate the values of ${lists.join(', ')} with commas. \`between\` requires two values.` +
      (operators.includes('has') ? ' `has` matches arrays that contain the value.' : ''),
  };
}

/**
 * The schema is a list of strings and not a tree, because some MCP clients do not support recursive
 * schemas.
 */
function whereSchema(fields: Names, { maxFilters }: ResolvedQueryOptions): JsonSchema | undefined {
  const usable = fields?.filter((field) => !needsQuotes(field)) ?? ['status', 'title'];
  const [first, second = first] = usable;
  if (first === undefined) return undefined;
  return {
    type: 'array',
    items: { type: 'string' },
    maxItems: maxFilters,
    description:
      'Conditions as in `filter`, joined by or(a,b), and(a,b) and not(a), ' +
      `nested up to ${MAX_WHERE_DEPTH} levels deep. Several items are joined by AND. ` +
      'Put a value that contains ( ) , or " in double quotes. ' +
      'In double quotes, write \\" for " and \\\\ for \\. ' +
      `Example: or(${first}:eq:a,not(${second}:in:"b,c"))`,
  };
}

function sortSchema(
  fields: Names,
  order: readonly DefaultKey[],
  options: ResolvedQueryOptions,
): JsonSchema | undefined {
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
    ...(order.length > 0 && {
      default: order.map(({ field, direction }) => `${field}:${direction}`),
    }),
    description: 'Sort keys, the most important first, each written field:direction.',
  };
}

/** Returns undefined if the config does not list names, because `fields` is then ignored. */
function fieldsSchema(fields: Names, options: ResolvedQueryOptions): JsonSchema | undefined {
  if (fields === undefined || fields.length === 0) return undefined;
  return {
    type: 'array',
    items: { type: 'string', enum: fields },
    maxItems: options.maxListItems,
    description:
      'Fields to return for each item. The key is always returned. Without `fields`, whole items ' +
      'are returned. List only the fields that you need: the response is then much shorter.',
  };
}

function namesOf(list: Iterable<string> | undefined, usable: (name: string) => boolean): Names {
  return list && [...list].filter(usable);
}

/** A filter item is split at its first colon, so the field cannot contain a colon. */
export function isFilterable(field: string): boolean {
  return field !== '' && !field.includes(':');
}

/** Returns true if `q` has an effect: the config has searched columns or a custom search. */
export function hasSearch(config: QueryFieldConfig | undefined): boolean {
  if (config === undefined) return true;
  const columns = 'columns' in config ? config.searchColumns : config.searchable;
  return (columns ?? []).length > 0 || 'search' in config;
}

function anyOf(texts: readonly string[]): string {
  return `(?:${texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})`;
}
