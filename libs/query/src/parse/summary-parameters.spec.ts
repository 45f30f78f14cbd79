import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { QueryProblem } from '../query.errors.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import { parseQuery } from './parse-query.js';

const LISTS = {
  filterable: ['group', 'status'],
  facetable: ['status', 'a:b'],
  groupable: ['status', 'createdAt', 'x:day'],
  aggregatable: ['amount'],
} as const;

function summaryOf(query: object, config: object = LISTS) {
  return parseQuery(query, config as typeof LISTS).summary;
}

function problemsOf(query: object, config: object = LISTS): readonly QueryProblem[] {
  try {
    summaryOf(query, config);
  } catch (error) {
    if (error instanceof InvalidQueryError) return error.errors;
    throw error;
  }
  return [];
}

const DEFAULTS = { facets: [], aggregates: [], groups: [], timeZone: 'UTC', limit: 100 };

describe('facets, aggregate, group and timezone', () => {
  it('are read in each form that servers decode', () => {
    for (const query of [
      { facets: 'status,a:b', group: 'createdAt:month,status', aggregate: 'count,sum:amount' },
      {
        facets: ['status', 'a:b'],
        group: ['createdAt:month', 'status'],
        aggregate: 'count,sum:amount',
      },
      {
        'facets[]': ['status', 'a:b'],
        'group[0]': 'createdAt:month',
        'group[1]': 'status',
        'aggregate[]': 'count,sum:amount',
      },
    ]) {
      expect(summaryOf(query)).toEqual({
        ...DEFAULTS,
        facets: ['status', 'a:b'],
        aggregates: [{ operator: 'count' }, { operator: 'sum', field: 'amount' }],
        groups: [{ field: 'createdAt', period: 'month' }, { field: 'status' }],
      });
    }
  });

  it('may have colons in names', () => {
    expect(summaryOf({ group: 'x:day' })?.groups).toEqual([{ field: 'x:day' }]);
    expect(summaryOf({ group: 'x:day:day' })?.groups).toEqual([{ field: 'x:day', period: 'day' }]);
  });

  it('take the time zone of the client, else that of the config', () => {
    const config = { ...LISTS, timeZone: 'Europe/Berlin' };
    expect(summaryOf({ group: 'status' }, config)?.timeZone).toBe('Europe/Berlin');
    expect(summaryOf({ group: 'status', timezone: 'Asia/Tokyo' }, config)?.timeZone).toBe(
      'Asia/Tokyo',
    );
  });

  it('are not read without a list, and give nothing without a value', () => {
    const plain = { filterable: ['status'] };
    const query = { facets: 'secret', aggregate: 'x', group: 'y', timezone: 'z' };
    expect(parseQuery(query, plain)).toEqual(parseQuery({}, plain));
    expect(parseQuery(query)).toEqual(parseQuery({}));
    expect(problemsOf({ group: 'nope' }, { facetable: ['status'] })).toEqual([]);
    expect(parseQuery({ facets: '' }, LISTS)).not.toHaveProperty('summary');
  });

  it.each([
    [{ facets: 'secret' }, { kind: 'facets', field: 'secret', reason: 'field-not-allowed' }],
    [{ facets: 'status,status' }, { kind: 'facets', field: 'status', reason: 'duplicate' }],
    [{ facets: { a: '1' } }, { kind: 'facets', reason: 'malformed' }],
    [
      { aggregate: 'sum:secret' },
      { kind: 'aggregate', field: 'secret', reason: 'field-not-allowed' },
    ],
    [{ aggregate: 'median:amount' }, { kind: 'aggregate', reason: 'malformed' }],
    [{ aggregate: 'sum' }, { kind: 'aggregate', reason: 'malformed' }],
    [{ group: 'createdAt:hour' }, { kind: 'group', field: 'createdAt', reason: 'malformed' }],
    [
      { group: 'status', timezone: '+02:00' },
      { kind: 'timezone', reason: 'invalid-value' },
    ],
    [
      { group: 'status', timezone: 'a,b' },
      { kind: 'timezone', reason: 'duplicate' },
    ],
    [
      { group: 'status', timezone: 'Mars/Base' },
      { kind: 'timezone', reason: 'invalid-value' },
    ],
  ])('refuse %j, also without strict mode', (query, problem) => {
    expect(problemsOf(query)).toContainEqual(expect.objectContaining(problem));
  });

  it('are limited', () => {
    const limits = { maxFacets: 1, maxGroupKeys: 1, maxAggregates: 1, maxGroups: 7 };
    const ask = (query: object) => parseQuery(query, LISTS, { limits });
    expect(ask({ facets: 'status' }).summary?.limit).toBe(7);
    for (const query of [
      { facets: 'status,a:b' },
      { group: 'status,createdAt:day' },
      { aggregate: 'count,sum:amount' },
    ]) {
      expect(() => ask(query)).toThrow('too-many');
    }
  });

  it('never throw another error', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('facets', 'group', 'aggregate', 'timezone', 'group[0]', 'facets[]'),
          fc.anything(),
        ),
        (query) => {
          expect(Array.isArray(problemsOf(query))).toBe(true);
        },
      ),
    );
  });

  it('are meant by a similar name, in strict mode', () => {
    const ask =
      (query: object, config: object = LISTS) =>
      () =>
        parseQuery(query, config as typeof LISTS, { onInvalid: 'throw' });
    expect(ask({ facet: 'status' })).toThrow('`facets` instead of "facet"');
    expect(ask({ groups: 'status' })).toThrow('`group` instead of "groups"');
    expect(ask({ group: 'status' })).not.toThrow();
    // Without the list, as before: the name of a filterable field.
    expect(ask({ group: 'status' }, { filterable: ['group'] })).toThrow('filter=group:eq:value');
    expect(ask({ facet: 'status' }, { filterable: ['group'] })).not.toThrow();
  });
});

describe('a config with lists that do not fit', () => {
  it.each([
    [{ facetable: 'status' }, '`facetable` of a query config is not an array'],
    [{ groupable: [undefined] }, '`groupable` of a query config is not an array'],
    [{ facetable: [], timeZone: 'Mars/Base' }, 'not an IANA time zone'],
    [{ facetables: [] }, 'Did you mean facetable?'],
  ])('%j is refused', (config, message) => {
    expect(() => summaryOf({}, config)).toThrow(InvalidQueryConfigError);
    expect(() => summaryOf({}, config)).toThrow(message);
  });
});
