import { modelOf, recordResponse } from './page-model.js';

/**
 * Documents that a route returns the result of `summarize` of an adapter. The OpenAPI document
 * describes it as the component `Summary`. With `outputSchemas: 'declared'`, @fledge/mcp publishes
 * it as the output schema of the tool. Omits `sort`, `fields` and the parameters of pages from the
 * documented parameters, because they have no effect. The decorator does not change the response.
 *
 * @example
 * ```ts
 * @Get('summary')
 * @Summarized()
 * summary(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) { return knexAdapter.summarize(query, TASKS, knex('tasks')); }
 * ```
 */
export function Summarized(): MethodDecorator {
  return (_target, _key, { value: handler }) => {
    const description = 'The counts and aggregates of all rows that match the filters.';
    recordResponse(handler, SUMMARY, description);
    Reflect.defineMetadata(SUMMARIZED, true, handler as object);
  };
}

const SUMMARIZED = Symbol('fledge:SUMMARIZED');

/** Call it after all decorators ran: decorators of parameters run before `@Summarized()`. */
export function isSummarized(handler: Function): boolean {
  return Reflect.hasMetadata(SUMMARIZED, handler);
}

const COUNT = { type: 'integer', minimum: 0 };
const TOTAL = { ...COUNT, description: 'The total number of groups, counted up to 10,000.' };
const VALUE = { description: 'A string, a number, true, false or null.' };
const BY_FIELD = { type: 'object', additionalProperties: VALUE };
const AGGREGATES = {
  group: BY_FIELD,
  count: COUNT,
  sum: BY_FIELD,
  avg: BY_FIELD,
  min: BY_FIELD,
  max: BY_FIELD,
};

function groupsOf(group: Readonly<Record<string, object>>, required: readonly string[]): object {
  const items = { type: 'object', properties: group, required };
  const groups = { type: 'array', items, description: 'Groups, with the most rows first.' };
  return { type: 'object', properties: { groups, total: TOTAL }, required: ['groups', 'total'] };
}

const PROPERTIES = {
  facets: {
    type: 'object',
    required: false,
    description: 'For each field, the number of rows with each value.',
    additionalProperties: groupsOf({ value: VALUE, count: COUNT }, ['value', 'count']),
  },
  aggregates: { ...groupsOf(AGGREGATES, ['group', 'count']), required: false },
};

const SUMMARY = modelOf('Summary', PROPERTIES);
