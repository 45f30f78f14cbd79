import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInTier } from '../../../../test/support/engines.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import { InvalidQueryError } from '../../src/query.errors.js';
import type { Summary } from '../../src/summary/summary.js';
import { randomFrom, SUMMARY_CONFIG, SUMMARY_LISTS, SUMMARY_TASKS } from './summary-rows.js';

/** An adapter on an engine with the dataset of summaries. */
export interface SummaryEngine {
  /** @param own only the rows that meet `OWN`, a condition of the caller */
  summarize(parsed: AnyParsedQuery, own?: true): Promise<Summary>;
  close(): Promise<void>;
}

/** A condition of the caller that is true for some rows. As `a or b`, it has to stay together. */
export const OWN = { sql: 'votes > 2 or votes is null', holds: isOwn };

function isOwn({ votes }: { readonly votes: number | null }): boolean {
  return votes === null || votes > 2;
}

/** Which fields an adapter can summarize. @default all of `SUMMARY_LISTS` */
type Without = (kind: keyof typeof SUMMARY_LISTS, field: string) => boolean;

export type Wire = Readonly<Record<string, string | readonly string[]>>;

const OPTIONS = { where: true, operators: ['isnull', 'nin'] } as const;

const CONDITIONS = [
  ...['status:eq:open', 'status:in:open,done', 'label:contains:a', 'votes:gte:0', 'amount:lt:5.5'],
  ...['done:eq:true', 'done:isnull:true', 'due:gte:2026-01-01', 'created:gte:2006-11-01'],
  ...['created:lt:2006-11-06T03:00:00Z', 'owner.name:eq:Ann', 'owner.team.name:isnull:true'],
  ...['serial:gt:9007199254740994', 'id:between:10,90', 'id:eq:0', 'hours:gt:0.5'],
];
const TREES = [
  'or(status:eq:open,status:isnull:true)',
  'not(done:eq:true)',
  'and(status:neq:held,or(votes:gt:1,owner.score:eq:7))',
  'or(label:eq:a,status:eq:done)',
];
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Tokyo', 'America/Sao_Paulo'],
  ...['Asia/Kathmandu', 'Pacific/Apia', 'America/New_York'],
];

/** What generated queries consist of. */
interface Vocabulary {
  readonly lists: Readonly<Record<keyof typeof SUMMARY_LISTS, readonly string[]>>;
  readonly conditions: readonly string[];
  readonly trees: readonly string[];
}

/** Queries by a seed. */
export function randomSummaries(
  seed: number,
  without: Without = () => false,
  { lists, conditions, trees }: Vocabulary = {
    lists: SUMMARY_LISTS,
    conditions: CONDITIONS,
    trees: TREES,
  },
): () => Wire {
  const random = randomFrom(seed);
  const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const some = <T>(values: readonly T[], most: number): T[] => {
    const picked = Array.from({ length: random(most + 1) }, () => one(values));
    return [...new Set(picked)];
  };
  const fieldsOf = (kind: keyof typeof SUMMARY_LISTS) =>
    lists[kind].filter((field) => !without(kind, field));
  const dates = ['created', 'due'];
  return (): Wire => {
    const groups = some(fieldsOf('groupable'), 3).map((field) =>
      dates.includes(field) ? `${field}:${one(['day', 'week', 'month', 'year'])}` : field,
    );
    const aggregates = some(fieldsOf('aggregatable'), 4).map(
      (field) =>
        `${one(dates.includes(field) ? ['min', 'max'] : ['sum', 'avg', 'min', 'max'])}:${field}`,
    );
    return {
      facets: some(fieldsOf('facetable'), 3).join(','),
      aggregate: ['count', ...aggregates].join(','),
      group: groups.join(','),
      timezone: one(ZONES),
      filter: some(conditions, 2),
      where: some(trees, 1),
      q: one(['', '', '', 'a']),
    };
  };
}

/** Queries with a reason. */
const KNOWN: readonly Wire[] = [
  { facets: 'status' },
  { facets: 'status,done,owner.team.name', filter: ['status:eq:open', 'done:eq:true'] },
  { facets: 'status', where: ['or(status:eq:open,status:eq:done)', 'votes:gt:0'] },
  { facets: 'status', where: ['or(status:eq:open,votes:gt:0)'] },
  { facets: 'amount,hours,serial,uid' },
  { aggregate: 'count' },
  { aggregate: 'count,sum:votes,avg:amount,min:created', filter: ['id:eq:0'] },
  { aggregate: 'count', group: 'created:month,status', filter: ['id:eq:0'] },
  { aggregate: 'count', group: 'created:month', filter: ['created:isnull:true'] },
  { aggregate: 'sum:serial,avg:serial,min:serial,max:serial' },
  { aggregate: 'sum:owner.score,avg:owner.score', group: 'owner.team.name' },
  { group: 'created:day', timezone: 'America/St_Johns' },
  { group: 'created:day', timezone: 'America/Sao_Paulo' },
  { group: 'created:week', timezone: 'Asia/Tokyo' },
  { group: 'due:week' },
  { group: 'due:day' },
  { group: 'due:year,created:year', timezone: 'Asia/Tokyo' },
];

/** The answer of the memory adapter. */
function expectedSummary(wire: Wire, options: object = {}): Promise<Answer> {
  const parsed = parseQuery(wire, SUMMARY_CONFIG, { ...OPTIONS, ...options });
  return answerOf(() => memoryAdapter.summarize(parsed, SUMMARY_CONFIG, SUMMARY_TASKS));
}

type Answer = Summary | { readonly errors: unknown };

async function answerOf(ask: () => Promise<Summary>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof InvalidQueryError) return { errors: error.errors };
    throw error;
  }
}

interface SummaryTests {
  /** Generated queries. @default 150 */
  readonly runs?: number;
  readonly without?: Without;
}

/** Registers the tests of an adapter on an engine: the answers of the memory adapter. */
export function describeSummaries(
  name: string,
  open: () => Promise<SummaryEngine | undefined>,
  { runs = 150, without = () => false }: SummaryTests = {},
): void {
  if (!isInTier(name)) return;
  describe(`${name} summarizes as the memory adapter`, () => {
    let engine: SummaryEngine | undefined;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    const check = async (wire: Wire, options: object = {}) => {
      if (!engine) return;
      const parsed = parseQuery(wire, SUMMARY_CONFIG, { ...OPTIONS, ...options });
      const answer = await answerOf(() => (engine as SummaryEngine).summarize(parsed));
      expect([wire, answer]).toEqual([wire, await expectedSummary(wire, options)]);
    };
    const isPossible = ({ facets = '', aggregate = '', group = '' }: Wire) =>
      !String(facets)
        .split(',')
        .some((field) => without('facetable', field)) &&
      !String(group)
        .split(',')
        .some((item) => without('groupable', item.split(':')[0] ?? '')) &&
      !String(aggregate)
        .split(',')
        .some((item) => without('aggregatable', item.split(':')[1] ?? ''));

    it.each(KNOWN.filter(isPossible).map((wire): [string, Wire] => [JSON.stringify(wire), wire]))(
      '%s',
      (_, wire) => check(wire),
    );

    it('with fewer groups than there are', async () => {
      const wire = { facets: 'serial,label,amount', group: 'status,votes', aggregate: 'sum:votes' };
      await check(wire, { limits: { maxGroups: 4 } });
    });

    it('of the rows that the caller selects', async () => {
      if (!engine) return;
      const parsed = parseQuery(
        { facets: 'votes', group: 'status', filter: 'id:gt:9' },
        SUMMARY_CONFIG,
      );
      const rows = SUMMARY_TASKS.filter(OWN.holds);
      const expected = await memoryAdapter.summarize(parsed, SUMMARY_CONFIG, rows);
      expect(await engine.summarize(parsed, true)).toEqual(expected);
      expect(await engine.summarize(parsed)).not.toEqual(expected);
    });

    it(`and ${runs} generated queries`, async () => {
      const next = randomSummaries(name.length, without);
      for (let run = 0; run < runs; run++) await check(next());
    });
  });
}
