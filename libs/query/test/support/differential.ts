import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildQueryParams } from '../../src/build/query-params.js';
import type { OptInOperator } from '../../src/config/operators.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery, WhereNode } from '../../src/parse/parsed-query.js';
import { InvalidQueryError } from '../../src/query.errors.js';
import { ROWS, TASKS } from './dataset.js';
import { isInTier } from '../../../../test/support/engines.js';

/** An adapter on an engine with the dataset. */
export interface Engine {
  /** The ids of the page in order, and the number of matching rows. */
  find(parsed: AnyParsedQuery): Promise<{ ids: readonly number[]; total: number }>;
  close(): Promise<void>;
}

interface Wire {
  readonly filter?: readonly string[];
  readonly where?: readonly string[];
  readonly sort?: readonly string[];
  readonly page?: string;
  readonly limit?: string;
  readonly q?: string;
}

const OPTIONS = { operators: ['nin', 'isnull', 'ieq'], where: true } as const;

/** Queries that failed before, or that engines answer differently by default. */
const KNOWN: readonly Wire[] = [
  {},
  { filter: ['title:contains:100%'] },
  { filter: ['title:contains:_'] },
  { filter: ['title:contains:\\'] },
  { filter: ['title:contains:!'] },
  { filter: ['title:starts:AB'] },
  { filter: ['title:ends:C\\'] },
  { filter: ["title:contains:'"] },
  { filter: ['title:contains:"'] },
  { filter: ['title:contains:(a+)+$'] },
  { filter: ['title:contains:[x]{2}.*^|?'] },
  { filter: ['title:eq:ab_c\\'] },
  { filter: ['title:eq: padded '] },
  { filter: ['title:eq:padded'] },
  { filter: ['title:eq:0'] },
  { filter: ['title:eq:007'] },
  { filter: ['title:eq:null'] },
  { filter: ['title:eq:$where: 1'] },
  { filter: ["title:eq:x' or '1'='1"] },
  { filter: ['title:in:x,0,a\\,b\\\\c'] },
  { filter: ['title:in:,'] },
  { filter: ['title:nin:x,0'] },
  { filter: ['title:gt:Task'], sort: ['title:desc'] },
  { filter: ['title:contains:你好'] },
  { filter: ['title:ieq:AB_C\\'] },
  { filter: ['title:ieq:100% DONE'] },
  { filter: ['title:ieq:100_ done'] },
  { filter: ['title:ieq:%'] },
  { filter: ['title:ieq:A!B!!C'] },
  { filter: ['title:ieq: PADDED '] },
  { filter: ['title:ieq:PADDED'] },
  { filter: ['title:ieq:[X]{2}.*^|?'] },
  { filter: ['title:ieq:LINE\nBREAK'] },
  { filter: ["title:ieq:O'BRIEN"] },
  { filter: ['note:ieq:NOTE 5%_!'] },
  { filter: ['note:ieq:note 5%'] },
  { filter: ['status:ieq:OPEN'] },
  { filter: ['uid:ieq:00000000-0000-4000-8000-000000007919'] },
  { filter: ['priority:ieq:1'] },
  { where: ['not(note:ieq:"NOTE 5%_!")'] },
  { where: ['or(id:eq:7,not(title:ieq:X))'] },
  { filter: ['note:neq:note 5%_!'] },
  { filter: ['note:isnull:true'] },
  { filter: ['note:isnull:false'], sort: ['note:asc'] },
  { filter: ['note:nin:note 5%_!'] },
  { filter: ['status:in:open,held'], sort: ['priority:desc', 'title:asc'] },
  { filter: ['status:eq:gone'] },
  { filter: ['priority:between:-1,1'] },
  { filter: ['priority:between:1,-1'] },
  { filter: ['priority:between:1'] },
  { filter: ['priority:gt:abc'] },
  { filter: ['priority:gt:3000000000'] },
  { filter: ['rating:gte:2.25'], sort: ['rating:asc'] },
  { filter: ['rating:neq:2.25'], sort: ['rating:desc'] },
  { filter: ['price:gt:9.5'], sort: ['price:desc'] },
  { filter: ['price:eq:9.50'] },
  { filter: ['serial:eq:9007199254740993'] },
  { filter: ['serial:gt:9007199254740994'], sort: ['serial:asc'] },
  { filter: ['done:eq:true'] },
  { filter: ['done:neq:true'] },
  { filter: ['done:in:true,false'] },
  { filter: ['done:eq:maybe'] },
  { filter: ['due:gte:2026-05-01'], sort: ['due:desc'] },
  { filter: ['due:between:2026-02-01,2026-03-31'] },
  { filter: ['due:eq:2026-02-30'] },
  { filter: ['created:gte:2026-01-20T12:00:00Z'], sort: ['created:desc'] },
  { filter: ['created:lt:2026-01-20'], sort: ['created:asc'] },
  { filter: ['created:between:2026-01-10T00:00:00+02:00,2026-01-12'] },
  { filter: ['uid:eq:00000000-0000-4000-8000-000000007919'] },
  { filter: ['uid:eq:zzz'] },
  { filter: ['title:eq:\u0000'] },
  { where: ['or(status:eq:done,and(rating:gte:2,not(note:isnull:true)))'] },
  { where: ['not(note:eq:note 5%_!)'] },
  { where: ['not(note:in:",")'] },
  { where: ['not(note:nin:",")'] },
  { where: ['not(not(note:nin:","))'] },
  { where: ['not(note:contains:"%_!")'] },
  { where: ['not(or(note:starts:NOTE,note:ends:"!"))'] },
  { where: ['not(id:isnull:true)'] },
  { where: ['not(id:isnull:false)'] },
  { where: ['or(id:eq:7,id:isnull:false)'] },
  { where: ['or(id:eq:7,id:isnull:true)'] },
  { where: ['or(id:eq:7,title:in:",")'] },
  { where: ['or(id:eq:7,title:nin:",")'] },
  { where: ['not(done:in:"true,false")'] },
  { where: ['not(done:eq:true)'] },
  { where: ['not(rating:between:"1,3")'] },
  { where: ['not(due:between:"2026-02-01,2026-03-31")'] },
  { where: ['not(price:lt:9.5)'], sort: ['price:asc'] },
  { where: ['not(uid:eq:00000000-0000-4000-8000-000000007919)'] },
  { where: ['not(status:in:"open,held")', 'or(done:eq:true,done:isnull:true)'], q: 'a' },
  { where: ['or(id:eq:7,not(status:gt:open))'] },
  { where: ['or(id:eq:7,priority:gt:abc,not(done:eq:maybe))'] },
  { where: ['not(not(not(not(not(note:contains:1)))))'], filter: ['note:contains:0'] },
  { q: '%' },
  { q: 'NOTE 1' },
  { q: 'abc', filter: ['status:eq:open'] },
  { q: '\\' },
  { sort: ['note:asc'], limit: '100' },
  { sort: ['note:desc'], limit: '100' },
  { sort: ['done:desc', 'rating:asc'], limit: '100' },
  { page: '2', limit: '7', sort: ['status:desc'] },
  { page: '9', limit: '7' },
  { page: '107374182' },
  { filter: ['priority:gte:0', 'priority:lte:2', 'title:contains:task', 'title:contains:A'] },
];

const VALUES: Readonly<Record<keyof typeof TASKS.columns, readonly string[]>> = {
  id: ['1', '7', '30', '61', '-1'],
  title: ['a', 'Task', 'TASK 1', '%', '_', '!', '\\', "'", 'x', '100% done', 'O', ' '],
  note: ['note', 'note 5%_!', '%_!', '1', 'x'],
  status: ['open', 'done', 'held'],
  priority: ['-3', '0', '2', '3', '99'],
  rating: ['0', '1.75', '2.25', '-1', '4'],
  price: ['0', '9.50', '12.25', '25'],
  serial: ['9007199254740993', '9007199254741000', '0'],
  done: ['true', 'false', '1', '0'],
  due: ['2026-01-01', '2026-05-13', '2026-09-27'],
  created: ['2026-01-01', '2026-01-20T12:00:00Z', '2026-02-10T05:37:30.250Z'],
  uid: ['00000000-0000-4000-8000-000000007919', '00000000-0000-4000-8000-000000000000'],
};

const FIELDS = Object.keys(VALUES) as (keyof typeof VALUES)[];
const OPERATORS = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'isnull'],
  ...['contains', 'starts', 'ends', 'ieq'],
];

const filter = fc.constantFrom(...FIELDS).chain((field) =>
  fc
    .tuple(
      fc.constantFrom(...OPERATORS),
      fc.array(fc.constantFrom(...VALUES[field]), { minLength: 1, maxLength: 3 }),
      fc.string({ unit: fc.constantFrom(...'abT1%_!\\\'" .*$'), maxLength: 4 }),
    )
    .map(([operator, values, noise]) => {
      if (operator === 'isnull') return `${field}:isnull:${values.length % 2 === 0}`;
      const several = operator === 'between' ? values.slice(0, 2) : values;
      const text = field === 'title' && noise.length > 2 ? noise : values[0];
      const isList = operator === 'between' || operator === 'in' || operator === 'nin';
      return `${field}:${operator}:${isList ? several.join(',') : text}`;
    }),
);

const queries: fc.Arbitrary<Wire> = fc.record(
  {
    filter: fc.array(filter, { maxLength: 3 }),
    sort: fc.array(
      fc
        .tuple(fc.constantFrom(...FIELDS), fc.constantFrom('asc', 'desc'))
        .map((pair) => pair.join(':')),
      { maxLength: 3 },
    ),
    page: fc.constantFrom('1', '2', '5'),
    limit: fc.constantFrom('3', '20', '100'),
    q: fc.constantFrom('', 'note', 'TASK 1', '%', 'a'),
  },
  { requiredKeys: [] },
);

/** `where` of trees up to five groups deep, without values that would be refused. */
const trees: fc.Arbitrary<Wire> = fc
  .record({
    where: fc
      .letrec<{ node: AnyNode; leaf: AnyNode; group: AnyNode }>((tie) => ({
        node: fc.oneof({ maxDepth: 5 }, tie('leaf'), tie('group'), tie('group')),
        leaf: filter.filter(isValid).map(itemOf),
        group: fc.oneof(
          fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
          fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
          tie('node').map((not) => ({ not })),
        ),
      }))
      .node.filter((node) => (JSON.stringify(node).match(/\{/g) ?? []).length <= 50),
    limit: fc.constantFrom('7', '100'),
    filter: fc.array(filter.filter(isValid), { maxLength: 1 }),
    q: fc.constantFrom('', '', '', 'note'),
  })
  .map(({ where, ...more }) => ({ ...more, where: buildQueryParams({ where }).where ?? [] }));

function isValid(text: string): boolean {
  return !('errors' in answerTo(parseQuery({ filter: text }, TASKS, OPTIONS)));
}

function itemOf(text: string): AnyNode {
  const { filters } = parseQuery({ filter: text }, TASKS, OPTIONS);
  return filters[0] as AnyNode;
}

type AnyNode = WhereNode<string, OptInOperator>;
type Answer = { ids: readonly number[]; total: number } | { errors: unknown };

/** The answer of the memory adapter. */
function answerTo(parsed: AnyParsedQuery): Answer {
  try {
    const { data, total } = memoryAdapter.build(parsed, TASKS).apply(ROWS);
    return { ids: data.map(({ id }) => id), total };
  } catch (error) {
    if (error instanceof InvalidQueryError) return { errors: error.errors };
    throw error;
  }
}

async function answerOf(
  find: () => Promise<{ ids: readonly number[]; total: number }>,
): Promise<Answer> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof InvalidQueryError) return { errors: error.errors };
    throw error;
  }
}

/**
 * Registers the tests of an adapter on an engine: the answers of the memory adapter to each query.
 * @param runs how many generated queries
 */
export function describeAgainstOracle(
  name: string,
  open: () => Promise<Engine | undefined>,
  runs = 150,
): void {
  if (!isInTier(name)) return;
  describe(`${name} gives the same rows as the memory adapter`, () => {
    let engine: Engine | undefined;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    const check = async (wire: Wire) => {
      // Without a server; open() has written a warning.
      if (!engine) return;
      const { find } = engine;
      const parsed = parseQuery({ ...wire }, TASKS, OPTIONS);
      const answer = await answerOf(() => find.call(engine, parsed));
      expect([wire, answer]).toEqual([wire, answerTo(parsed)]);
    };

    it.each(KNOWN.map((wire): [string, Wire] => [JSON.stringify(wire), wire]))('%s', (_, wire) =>
      check(wire),
    );

    it('and to generated queries', async () => {
      await fc.assert(fc.asyncProperty(queries, check), { numRuns: runs });
    });

    it('and to generated groups of conditions', async () => {
      await fc.assert(fc.asyncProperty(trees, check), { numRuns: runs });
    });
  });
}
