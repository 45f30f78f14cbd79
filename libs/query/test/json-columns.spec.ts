// Values inside JSON columns and arrays: each adapter on each engine gives the same rows, pages and summaries as the
// memory adapter.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isInTier } from '../../../test/support/engines.js';
import { memoryAdapter } from '../src/memory/index.js';
import { parseQuery } from '../src/parse/parse-query.js';
import {
  drizzleJson,
  type JsonEngine,
  knexJson,
  kyselyJson,
  mikroOrmJson,
  typeOrmJson,
} from './support/json-engines.js';
import { declaredConfig, type Dialect, INSIDE, ROWS } from './support/json-rows.js';

const OPTIONS = {
  operators: ['nin', 'isnull', 'ieq', 'has'],
  where: true,
  cursors: true,
  maxLimit: 100,
} as const;
const SECRET = 'a secret of more than 16 bytes';

const UID = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11';
const TEXTS = ['dark', 'Dark', 'dark ', 'ä', '😀', '～', '%', '_', '!', `'"\\`, 'null', 'Ada', 'a'];
const WHOLE = ['0', '1', '2', '-3', '9007199254740991'];
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '40'],
  theme: TEXTS,
  owner: TEXTS,
  level: ['low', 'high'],
  count: WHOLE,
  ratio: ['0', '0.1', '2.25', '1e300', '1e-300', '12345678901234567890', '3'],
  on: ['true', 'false'],
  day: ['2026-01-31', '2026-02-01', '2000-01-01'],
  at: ['2026-01-31T10:00:00Z', '2026-01-31T12:00:00.250+02:00', '2026-01-31'],
  clock: ['09:05', '09:05:00.5', '23:59:59'],
  uid: [UID, UID.toLowerCase(), 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  tags: ['a', 'A', 'a ', 'true', '1', 'null', 'é', `'"\\,{}`],
  numbers: ['1', '2', '0'],
  ratios: ['1', '1.5', '2'],
  flags: ['true', 'false'],
  ids: [UID, UID.toLowerCase()],
  list: ['a', 'A', `'"\\,{}`],
  labels: ['a', 'A', 'null', `"\\,{}'`, 'b'],
};
const ORDERED = ['gt', 'gte', 'lt', 'lte', 'between'];
const PARTS = ['contains', 'starts', 'ends', 'ieq'];

function operatorsFor(field: string): readonly string[] {
  const column = (declaredConfig('postgres').columns as Record<string, { type: string }>)[field];
  if (column !== undefined && 'array' in column) return ['has', 'has', 'isnull'];
  const equal = ['eq', 'neq', 'in', 'nin', 'isnull'];
  if (field === 'on' || field === 'level') return equal;
  return [...equal, ...ORDERED, ...(field === 'theme' || field === 'owner' ? PARTS : [])];
}

/** Queries about the columns of a dialect. */
function queriesFor(dialect: Dialect) {
  const fields = Object.keys(declaredConfig(dialect).columns);
  const leaf = fc.constantFrom(...fields).chain((field) =>
    fc
      .tuple(
        fc.constantFrom(...operatorsFor(field)),
        fc.array(fc.constantFrom(...(GIVEN[field] as string[])), { minLength: 2, maxLength: 2 }),
      )
      .map(([operator, values]) => {
        if (operator === 'isnull') return `${field}:isnull:${values[0] === GIVEN[field]?.[0]}`;
        const isList = ['in', 'nin', 'between'].includes(operator);
        const escaped = values.map((value) => value.replaceAll(/[\\,]/g, '\\$&'));
        return `${field}:${operator}:${isList ? escaped.join(',') : (values[0] as string)}`;
      }),
  );
  const quoted = leaf.map((text) => {
    const [field, operator, ...value] = text.split(':');
    const inner = value.join(':').replaceAll(/[\\"]/g, '\\$&');
    return `${field}:${operator}:"${inner}"`;
  });
  return fc.record(
    {
      filter: fc.array(leaf, { maxLength: 2 }),
      where: fc.oneof(
        quoted.map((text) => [`not(${text})`]),
        fc.tuple(quoted, quoted).map(([a, b]) => [`or(${a},not(${b}))`]),
      ),
      sort: fc.array(
        fc
          .tuple(fc.constantFrom(...Object.keys(INSIDE)), fc.constantFrom('asc', 'desc'))
          .map((pair) => pair.join(':')),
        { maxLength: 3 },
      ),
      limit: fc.constantFrom('5', '100'),
      q: fc.constantFrom('', 'DARK', '%', 'a'),
    },
    { requiredKeys: [] },
  );
}

const SUMMARIES = [
  { facets: 'theme,level,on,count,uid' },
  { facets: 'theme', filter: ['theme:eq:dark', 'count:gte:0'] },
  { aggregate: 'count,sum:count,avg:count,min:count,max:count', group: 'theme' },
  { aggregate: 'sum:count,min:ratio,max:ratio', group: 'level,on' },
  { aggregate: 'count', group: 'ratio' },
  { aggregate: 'count', group: 'uid,theme', filter: ['tags:has:a'] },
  { aggregate: 'avg:ratio,sum:ratio', where: ['not(ratio:gt:1000)'] },
];

const ADAPTERS = [
  ['Kysely', kyselyJson, ['sqlite', 'postgres', 'mariadb'], 2000],
  ['Knex', knexJson, ['sqlite', 'postgres', 'mariadb'], 150],
  ['Drizzle', drizzleJson, ['sqlite', 'postgres', 'mariadb'], 150],
  ['TypeORM', typeOrmJson, ['sqlite', 'postgres', 'mariadb'], 150],
  ['MikroORM', mikroOrmJson, ['sqlite', 'postgres'], 150],
] as const;
const TITLES = { sqlite: 'SQLite', postgres: 'PostgreSQL', mariadb: 'MariaDB' } as const;

const CASES = ADAPTERS.flatMap(([name, open, dialects, runs]) =>
  dialects.map((dialect) => ({ title: `${name} on ${TITLES[dialect]}`, open, dialect, runs })),
).filter(({ title }) => isInTier(title));

// MikroORM and TypeORM have no search here: they take paths of properties.
const searches = (title: string) => !/MikroORM|TypeORM/.test(title);

describe.each(CASES)('JSON and arrays with $title', ({ title, open, dialect, runs }) => {
  const config = declaredConfig(dialect);
  let engine: JsonEngine;
  beforeAll(async () => {
    engine = await open(dialect);
  }, 60_000);
  afterAll(() => engine.close());

  it('finds the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(queriesFor(dialect), async ({ q, ...wire }) => {
        const parsed = parseQuery(searches(title) ? { ...wire, q } : wire, config, OPTIONS);
        const { data, total } = memoryAdapter.build(parsed, config).apply(ROWS);
        expect([wire, await engine.find(parsed)]).toEqual([
          wire,
          { ids: data.map(({ id }) => id), total },
        ]);
      }),
      { numRuns: runs },
    );
  }, 300_000);

  it('pages by cursor over values in JSON, each row once', async () => {
    for (const [i, field] of Object.keys(INSIDE).entries()) {
      const sort = [`${field}:${i % 2 === 0 ? 'asc' : 'desc'}`, 'theme:desc', 'count:asc'];
      const parsed = parseQuery({ sort, limit: '13' }, config, OPTIONS);
      const all = parseQuery({ sort, limit: '100' }, config, OPTIONS);
      const ids: number[] = [];
      let after: string | undefined;
      do {
        const page = await engine.page(parsed, { secret: SECRET, after });
        ids.push(...page.ids);
        after = page.next;
      } while (after !== undefined && ids.length <= ROWS.length);
      const wanted = memoryAdapter.build(all, config).apply(ROWS).data;
      expect([sort, ids]).toEqual([sort, wanted.map(({ id }) => id)]);
    }
  }, 60_000);

  it.each(SUMMARIES.map((wire) => [JSON.stringify(wire), wire] as const))(
    'summarizes %s',
    async (_, wire) => {
      const parsed = parseQuery({ ...wire }, config, OPTIONS);
      expect(await engine.summarize(parsed)).toEqual(
        await memoryAdapter.summarize(parsed, config, ROWS),
      );
    },
  );
});
