import { describe, expect, it } from '@jest/globals';
import { memoryAdapter } from '../src/memory/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import type { RelatedQueryConfig } from '../src/resolve/declared-columns.js';

const CONFIG = {
  columns: {
    id: { type: 'integer', nullable: false },
    status: 'string',
    at: 'timestamp',
    clock: 'time',
    'tags.name': 'string',
  },
  relations: { tags: { many: true } },
  sortable: {},
} as const satisfies RelatedQueryConfig;

describe('summaryColumnsOf', () => {
  it.each([
    [{ facetable: ['nope'] }, '`facetable` contains "nope", but neither `columns`'],
    [
      { facetable: ['tags.name'] },
      'several values for this field, because the relation "tags" is to-many',
    ],
    [
      { facetable: ['at'] },
      'type timestamp. Remove the field from the list. The list `groupable` supports dates.',
    ],
    [{ groupable: ['clock'] }, '"clock", but does not support its type time.'],
    [{ aggregatable: ['status'] }, 'Only numbers and dates are supported.'],
  ])('refuses %j at startup', (lists, message) => {
    expect(() => memoryAdapter.check({ ...CONFIG, ...lists })).toThrow(message);
  });
});

describe('planSummary', () => {
  const config = { ...CONFIG, groupable: ['status', 'at'], aggregatable: ['id', 'at'] };
  const ask = (query: object) => memoryAdapter.summarize(parseQuery(query, config), config, []);

  it.each([
    [{ group: 'at' }, 'group "at" malformed (expected: a period (day, week, month or year)'],
    [{ group: 'status:day' }, 'group "status" malformed (expected: status without a period)'],
    [{ aggregate: 'sum:at' }, 'aggregate "at" sum operator-not-allowed (expected: min or max)'],
    [{ group: 'status', filter: 'id:eq:x' }, 'filter "id" eq invalid-value'],
  ])('refuses %j with a 400', async (query, message) => {
    await expect(ask(query)).rejects.toThrow(message);
  });

  it('answers nothing to a query that asks for nothing', async () => {
    await expect(ask({ filter: 'id:eq:1' })).resolves.toEqual({});
  });
});
