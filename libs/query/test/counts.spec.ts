// Capped and estimated totals on each adapter and engine, compared with the rows that match in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInTier } from '../../../test/support/engines.js';
import { memoryAdapter } from '../src/memory/index.js';
import { paginate } from '../src/page/paginate.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { InvalidQueryConfigError } from '../src/query.errors.js';
import {
  COUNTED,
  type CountedEngine,
  type CountedPlace,
  type Counter,
  COUNTERS,
  LIST,
  openCounted,
} from './support/counters.js';

const WIRES = [
  {},
  { filter: 'status:eq:open' },
  { filter: 'status:neq:open' },
  { filter: 'id:lte:7' },
  { filter: 'id:eq:0' },
  { filter: ['status:eq:done', 'id:gt:1000'] },
  { q: 'TASK 4' },
  { filter: "title:eq:it's %? \\ $1", sort: 'title:desc', page: '3', limit: '5' },
];

const ENGINES: readonly { readonly title: string; readonly engine: CountedEngine }[] = [
  { title: 'SQLite', engine: 'sqlite' },
  { title: 'PostgreSQL', engine: 'postgres' },
  { title: 'MariaDB', engine: 'mariadb' },
];

describe.each(ENGINES.filter(({ title }) => isInTier(title)))('on $title', ({ engine }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-counts-'));
  let place: CountedPlace & { close(): Promise<unknown> };
  beforeAll(async () => {
    place = await openCounted(engine, join(folder, 'counted.db'));
  });
  afterAll(async () => {
    await place.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // The driver of MikroORM for MariaDB is not installed.
  const names = Object.keys(COUNTERS).filter((name) => engine !== 'mariadb' || name !== 'MikroORM');
  describe.each(names)('%s', (name) => {
    let counter: Counter;
    beforeAll(async () => {
      counter = await COUNTERS[name]!(place);
    });
    afterAll(async () => {
      await counter.close();
    });

    it.each(WIRES)('counts %j up to a cap', async (wire) => {
      const parsed = parseQuery(wire, LIST);
      const all = COUNTED.filter(memoryAdapter.build(parsed, LIST).predicate).length;
      for (const cap of [1, 7, 1000, 2399, 2400]) {
        const total = await counter.capped(parsed, cap);
        const { meta } = paginate({ data: [], total, parsed });
        expect({ cap, total: meta.total, isMore: meta.totalIsLowerBound }).toEqual({
          cap,
          total: Math.min(all, cap),
          isMore: all > cap,
        });
      }
    });

    it.each(WIRES)(
      'counts %j exactly below the threshold, and never fewer above it',
      async (wire) => {
        const parsed = parseQuery(wire, LIST);
        const all = COUNTED.filter(memoryAdapter.build(parsed, LIST).predicate).length;
        for (const threshold of [1, 7, 5000]) {
          const total = await counter.estimated(parsed, threshold);
          const { meta } = paginate({ data: [], total, parsed });
          const isCounted = engine === 'sqlite' || all <= threshold;
          expect(meta.totalIsEstimate).toBe(!isCounted);
          if (isCounted) expect(meta.total).toBe(all);
          else expect(meta.total).toBeGreaterThan(threshold);
        }
      },
    );

    it('estimates by the statistics of the engine', async () => {
      for (const wire of [{}, { filter: 'status:eq:open' }, { filter: 'id:gt:1000' }]) {
        const parsed = parseQuery(wire, LIST);
        const all = COUNTED.filter(memoryAdapter.build(parsed, LIST).predicate).length;
        const { total } = await counter.estimated(parsed, 100);
        expect(Number(total)).toBeGreaterThan(all * 0.8);
        expect(Number(total)).toBeLessThan(all * 1.2);
      }
    });

    it.each<[number, string]>([
      [0, '0'],
      [-1, '-1'],
      [1.5, '1.5'],
      [NaN, 'NaN'],
      [Infinity, 'Infinity'],
      ['10' as unknown as number, "'10'"],
    ])('refuses %p', async (rows, shown) => {
      const parsed = parseQuery({}, LIST);
      await expect(counter.capped(parsed, rows)).rejects.toThrow(InvalidQueryConfigError);
      await expect(counter.estimated(parsed, rows)).rejects.toThrow(
        `\`threshold\` of estimatedCount() is ${shown}. Pass a whole number from 1 to 2147483646.`,
      );
    });
  });
});
