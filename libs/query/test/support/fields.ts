import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeysetOptions } from '../../src/page/keyset-page.js';
import { memoryAdapter } from '../../src/memory/index.js';
import { parseQuery } from '../../src/parse/parse-query.js';
import type { AnyParsedQuery } from '../../src/parse/parsed-query.js';
import { ROWS, TASKS } from './dataset.js';
import { isInTier } from '../../../../test/support/engines.js';

/** The config of the dataset. `note` can be filtered and sorted by, but not asked for. */
export const SELECTABLE = {
  ...TASKS,
  selectable: ['title', 'status', 'priority', 'rating', 'done', 'due'],
} as const;

/** An adapter on an engine with the dataset, with the members of `SELECTABLE`. */
export interface FieldsEngine {
  /** The rows of a page as the ORM gives them. */
  find(parsed: AnyParsedQuery): Promise<readonly object[]>;
  /** The rows of a page by cursor as the ORM gives them, and cut by `project`. */
  page(parsed: AnyParsedQuery, options: KeysetOptions): Promise<FieldsPage>;
  close(): Promise<unknown>;
}

export interface FieldsPage {
  readonly fetched: readonly object[];
  readonly cut: readonly object[];
  readonly next: string | undefined;
}

/** The page of the rows that an engine returned. */
export function fieldsPageOf<Row extends object>(
  rows: readonly Row[],
  query: { cursorOf(row: Row): string; project(row: Row): object },
): FieldsPage {
  const last = rows.at(-1);
  return {
    fetched: rows,
    cut: rows.map((row) => query.project(row)),
    next: last && query.cursorOf(last),
  };
}

const QUERIES: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { fields: 'title' },
  { fields: 'title,priority', sort: 'note:desc' },
  { fields: ['title', 'status,due'], filter: 'note:contains:1', limit: '5', page: '2' },
  { fields: 'rating,done', sort: ['rating:asc', 'title:desc'], q: 'note' },
  { fields: 'id' },
  { fields: '' },
  { fields: 'note' },
  { fields: 'note,uid,created', sort: ['note:asc', 'created:desc'] },
  { fields: 'TITLE,Title' },
  { fields: 'title,title, title' },
  { fields: '__proto__,constructor,toString' },
  { fields: 'title"; drop table tasks; --,title as note,*,t.note' },
  { fields: Array.from({ length: 5000 }, (_, i) => `note${i}`).join(',') },
  { fields: { a: 'note' } },
];

const secret = 'of tests alone, and long enough';

/**
 * Registers the tests of `fields` on an engine: rows have the members that rows in memory have.
 * @param nameOf the name of a member in a row of the engine
 */
export function describeFields(
  name: string,
  open: () => Promise<FieldsEngine | undefined>,
  nameOf: (member: string) => string = (member) => member,
): void {
  if (!isInTier(name)) return;
  describe(`${name} fetches the members that fields asks for`, () => {
    let engine: FieldsEngine | undefined;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine?.close());

    const shapeOf = (row: object) => Object.keys(row).toSorted();
    const expectedOf = (parsed: AnyParsedQuery) =>
      memoryAdapter
        .build(parsed, SELECTABLE)
        .apply(ROWS)
        .data.map((row) => ({
          members: Object.keys(row).map(nameOf).toSorted(),
          id: row.id,
          title: row.title,
        }));
    const found = (rows: readonly object[]) =>
      rows.map((row) => {
        const record = row as Record<string, unknown>;
        return { members: shapeOf(row), id: record[nameOf('id')], title: record['title'] };
      });

    const titled = QUERIES.map((wire) => [JSON.stringify(wire).slice(0, 90), wire] as const);
    it.each(titled)('%s', async (_, wire) => {
      if (!engine) return;
      const parsed = parseQuery(wire, SELECTABLE);
      expect(found(await engine.find(parsed))).toEqual(expectedOf(parsed));
    });

    it.each([
      { fields: 'title', sort: ['note:asc', 'rating:desc'] },
      { fields: 'title,rating', sort: ['rating:asc', 'created:desc'] },
      { fields: 'note', sort: ['due:desc'] },
      { sort: ['due:desc'] },
    ])('page by page: %j', async (wire) => {
      if (!engine) return;
      const expected = expectedOf(parseQuery({ ...wire, limit: '100' }, SELECTABLE));
      const parsed = parseQuery({ ...wire, limit: '7' }, SELECTABLE);
      const rows: object[] = [];
      let after: string | undefined;
      do {
        const page = await engine.page(parsed, { secret, after });
        rows.push(...page.cut);
        after = page.next;
        if (!('fields' in wire)) continue;
        const keys = wire.sort.map((item) => nameOf(item.split(':')[0] as string));
        const own = new Set([...(expected[0]?.members ?? []), ...keys]);
        for (const row of page.fetched) expect(new Set(shapeOf(row))).toEqual(own);
      } while (after !== undefined && rows.length <= ROWS.length);
      expect(found(rows)).toEqual(expected);
    });
  });
}
