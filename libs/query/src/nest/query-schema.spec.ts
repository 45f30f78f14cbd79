import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { QueryFieldConfig } from '../config/field-config.js';
import { FILTER_OPERATORS } from '../config/operators.js';
import { parseQuery } from '../parse/parse-query.js';
import { querySchemaOf } from './query-schema.js';

interface ListProperty {
  readonly items: { readonly pattern?: string; readonly enum?: string[] };
  readonly description: string;
}

function propertiesOf(...args: Parameters<typeof querySchemaOf>): Record<string, ListProperty> {
  return querySchemaOf(...args)['properties'] as Record<string, ListProperty>;
}

describe('querySchemaOf', () => {
  it('describes the parameters', () => {
    const config = {
      filterable: ['status', 'due.at'],
      sortable: ['title'],
      searchable: ['title'],
    };
    expect(querySchemaOf(config, {})).toEqual({
      type: 'object',
      properties: {
        filter: {
          type: 'array',
          items: {
            type: 'string',
            pattern:
              '^(?:status|due\\.at):(?:eq|neq|gt|gte|lt|lte|between|in|contains|starts|ends):[\\s\\S]',
          },
          maxItems: 50,
          description:
            'Conditions joined by AND, each written field:operator:value. ' +
            'Fields: status, due.at. ' +
            'Operators: eq, neq, gt, gte, lt, lte, between, in, contains, starts, ends. ' +
            'Separate the values of `in`, `between` with commas. `between` requires two values.',
        },
        sort: {
          type: 'array',
          items: { type: 'string', enum: ['title:asc', 'title:desc'] },
          maxItems: 10,
          description: 'Sort keys, the most important first, each written field:direction.',
        },
        page: { type: 'integer', minimum: 1, default: 1, description: 'Page number, from 1.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Items per page.',
        },
        q: { type: 'string', maxLength: 200, description: 'Text to search for.' },
      },
    });
  });

  it('applies the options', () => {
    const options = {
      maxLimit: 10,
      maxSearchLength: 5,
      limits: { maxFilters: 2, maxSort: 1 },
      operators: ['nin'],
    } as const;
    const properties = propertiesOf({ columns: { a: 1 }, searchColumns: ['a'] }, options);
    expect(properties).toMatchObject({
      filter: { maxItems: 2 },
      sort: { maxItems: 1, items: { enum: ['a:asc', 'a:desc'] } },
      limit: { maximum: 10, default: 10 },
      q: { maxLength: 5 },
    });
    expect(properties['filter']?.description).toContain(
      'Separate the values of `in`, `nin`, `between`',
    );
    expect(properties['filter']?.items.pattern).toContain('|ends|nin)');
  });

  it.each<[Parameters<typeof querySchemaOf>[0], string[]]>([
    [{}, ['page', 'limit']],
    [{ filterable: [], search: () => true } as QueryFieldConfig, ['page', 'limit', 'q']],
    [{ filterable: [], sortable: ['a'], searchable: [] }, ['sort', 'page', 'limit']],
    [{ filterable: ['a:b', ''] }, ['page', 'limit']],
    [{ columns: { a: 1 }, sortable: {}, searchColumns: [] }, ['filter', 'page', 'limit']],
    [undefined, ['filter', 'sort', 'page', 'limit', 'q']],
  ])('leaves out parameters without an effect: %j', (config, names) => {
    expect(Object.keys(propertiesOf(config, {}))).toEqual(names);
  });

  it('accepts the filters and sorts that the parser accepts', () => {
    const fields = ['status', 'due.at', 'a|b', '(x', 'e^$', '日本', 'a-b', 'a/b'];
    const config = { filterable: fields, sortable: fields };
    const { filter, sort } = propertiesOf(config, {});
    // JSON Schema patterns are Unicode patterns.
    const pattern = new RegExp(filter?.items.pattern ?? '', 'u');
    const part = fc.oneof(fc.constantFrom(...fields, ...FILTER_OPERATORS, 'nin', ''), fc.string());
    const item = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(':'));
    fc.assert(
      fc.property(item, fc.constantFrom('asc', 'desc', 'up', ''), (text, direction) => {
        expect(pattern.test(text)).toBe(parseQuery({ filter: text }, config).filters.length === 1);
        const order = `${text.split(':', 1)[0] ?? ''}:${direction}`;
        const sorted = parseQuery({ sort: order }, config).sort.length === 1;
        expect(sort?.items.enum?.includes(order)).toBe(sorted);
      }),
      { numRuns: 2000 },
    );
  });
});
