import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildQueryParams } from '../../src/build/query-params.js';
import { filter } from '../../src/build/filter.js';
import type { OptInOperator } from '../../src/config/operators.js';
import type { KeysetOptions } from '../../src/page/keyset-page.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery, WhereNode } from '../../src/parse/parsed-query.js';
import type { CursorPage } from './cursors.js';
import { isInTier } from '../../../../test/support/engines.js';
import {
  RELATED_CONFIG,
  RELATED_TASKS,
  RELATED_VALUES,
  type RelatedField,
} from './related-rows.js';

/** An adapter on an engine with the tables of `RELATED`. */
export interface RelatedEngine {
  /** The ids of the page in order, and the number of matching rows. */
  find(parsed: AnyParsedQuery): Promise<{ ids: readonly number[]; total: number }>;
  page(parsed: AnyParsedQuery, options: KeysetOptions): Promise<CursorPage>;
  close(): Promise<void>;
}

export type AnyNode = WhereNode<string, OptInOperator>;
/** Generated trees have more conditions on related rows than clients may send by default. */
export const OPTIONS = {
  where: true,
  operators: ['nin', 'isnull'],
  limits: { maxRelatedFilters: 50 },
} as const;
const FIELDS = Object.keys(RELATED_VALUES) as RelatedField[];
const TEXT_FIELDS = FIELDS.filter((field) => !/id$|rank|age|weight/.test(field));
const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
const TEXT_PARTS = ['contains', 'starts', 'ends'] as const;

/** Single conditions on each field. */
const leaves: fc.Arbitrary<AnyNode> = fc.constantFrom(...FIELDS).chain((field) => {
  const value = fc.constantFrom(...RELATED_VALUES[field]);
  const list = fc.uniqueArray(value, { maxLength: 3 });
  const plain: fc.Arbitrary<AnyNode>[] = [
    fc.tuple(fc.constantFrom(...COMPARISONS), value).map(([op, one]) => filter[op](field, one)),
    fc.tuple(value, value).map(([from, to]) => filter.between(field, from, to)),
    list.map((items) => ({ field, operator: 'in', value: items.join(',') || ',' })),
    list.map((items) => ({ field, operator: 'nin', value: items.join(',') || ',' })),
    fc.boolean().map((isNull) => filter.isnull(field, isNull)),
  ];
  if (!TEXT_FIELDS.includes(field)) return fc.oneof(...plain);
  const part = fc.constantFrom('a', 'B', '%', '_', 'task', 'note 1', 'NN');
  const text = fc.tuple(fc.constantFrom(...TEXT_PARTS), part);
  return fc.oneof(
    ...plain,
    text.map(([op, one]) => filter[op](field, one)),
  );
});

/** Trees of `where`, three of four with a relation in it. */
export const relatedTrees: fc.Arbitrary<AnyNode> = fc
  .letrec<{ node: AnyNode }>((tie) => {
    const members = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
    return {
      node: fc.oneof(
        { maxDepth: 4 },
        leaves,
        members.map((or) => ({ or })),
        members.map((and) => ({ and })),
        tie('node').map((not) => ({ not })),
      ),
    };
  })
  .node.filter(
    (node) => (JSON.stringify(node).match(/"(?:field|or|and|not)":/g) ?? []).length < 40,
  );

const SORTS = Object.keys(RELATED_CONFIG.sortable);
const sort = fc.uniqueArray(fc.tuple(fc.constantFrom(...SORTS), fc.constantFrom('asc', 'desc')), {
  maxLength: 3,
  selector: ([field]) => field,
});

const queries = fc.record({
  where: relatedTrees,
  sort: sort.map((keys) => keys.map((key) => key.join(':'))),
  filter: fc.constantFrom([], [], ['tags.name:eq:ann', 'tags.name:eq:Bob'], ['owner.age:gt:20']),
  q: fc.constantFrom('', '', '', 'ann', 'B', '%', 'task 1'),
  page: fc.constantFrom('1', '1', '2'),
  limit: fc.constantFrom('5', '100', '100'),
});

interface Features {
  /** Whether it orders by related rows. @default true */
  readonly sorts?: boolean;
  /** Fields that it cannot order by. @default none */
  readonly unsortable?: readonly string[];
}

/** Registers the tests of relations on an engine: the rows, their order and their number are those of rows in memory. */
export function describeRelations(
  name: string,
  open: () => Promise<RelatedEngine | undefined>,
  { sorts = true, unsortable = [] }: Features = {},
): void {
  if (!isInTier(name)) return;
  const isSortable = (field: string | undefined = ''): boolean =>
    !unsortable.includes(field) && (sorts || !field.includes('.'));
  describe(`${name} follows relations`, () => {
    let engine: RelatedEngine | undefined;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    const check = async (wire: object): Promise<number> => {
      if (!engine) return 1;
      const parsed = parseQuery(wire, RELATED_CONFIG, OPTIONS);
      const { data, total } = memoryAdapter.build(parsed, RELATED_CONFIG).apply(RELATED_TASKS);
      const expected = { ids: data.map(({ id }) => id), total };
      expect([wire, await engine.find(parsed)]).toEqual([wire, expected]);
      return total;
    };

    it('as rows in memory do, for generated queries', async () => {
      let some = 0;
      const answer = async ({
        where,
        sort,
        ...query
      }: typeof queries extends fc.Arbitrary<infer Q> ? Q : never) => {
        const order = sort.filter((key) => isSortable(key.split(':')[0]));
        const total = await check({ ...query, sort: order, ...buildQueryParams({ where }) });
        if (total > 0 && total < RELATED_TASKS.length) some++;
      };
      await fc.assert(fc.asyncProperty(queries, answer), { numRuns: 300 });
      // Otherwise the property was hardly tested.
      if (engine) expect(some).toBeGreaterThan(60);
    });

    it('for each single condition and its negation', async () => {
      await fc.assert(
        fc.asyncProperty(leaves, async (leaf) => {
          await check({ limit: '100', ...buildQueryParams({ where: leaf }) });
          await check({ limit: '100', ...buildQueryParams({ where: { not: leaf } }) });
        }),
        { numRuns: 150 },
      );
    });

    const orders = [...SORTS.filter((field) => field !== 'id'), 'owner.team.name,owner.name'];
    const walks = orders
      .filter((fields) => fields.split(',').every((field) => isSortable(field)))
      .flatMap((fields) => [
        [fields, 'asc'],
        [fields, 'desc'],
      ]);
    it.each(walks as [string, string][])(
      'pages by cursors in the order of %s, %s',
      async (fields, direction) => {
        if (!engine) return;
        const order = fields.split(',').map((field) => `${field}:${direction}`);
        const parsed = parseQuery({ sort: order, limit: '7' }, RELATED_CONFIG);
        const { comparator } = memoryAdapter.build(parsed, RELATED_CONFIG);
        const ids: number[] = [];
        let after: string | undefined;
        do {
          const page = await engine.page(parsed, { secret: SECRET, after });
          ids.push(...page.ids);
          after = page.next;
        } while (after !== undefined && ids.length <= RELATED_TASKS.length);
        expect(ids).toEqual(RELATED_TASKS.toSorted(comparator).map(({ id }) => id));
      },
    );
  });
}

const SECRET = 'of tests alone, and long enough';
