import { describe, expect, it } from '@jest/globals';
import { InvalidTotalError } from '../query.errors.js';
import { paginate } from './paginate.js';

const at = (page: number, limit: number) => ({
  pagination: { page, limit, offset: (page - 1) * limit },
});
const rows = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('paginate({ data, total, parsed })', () => {
  it.each([
    [57, 2, { total: 57, totalPages: 6, hasNext: true, hasPrev: true }],
    [57n, 6, { total: 57, totalPages: 6, hasNext: false, hasPrev: true }],
    ['57', 9, { total: 57, totalPages: 6, hasNext: false, hasPrev: true }],
    [0, 1, { total: 0, totalPages: 0, hasNext: false, hasPrev: false }],
    ['0', 2, { total: 0, totalPages: 0, hasNext: false, hasPrev: true }],
    [10, 1, { total: 10, totalPages: 1, hasNext: false, hasPrev: false }],
    [11, 1, { total: 11, totalPages: 2, hasNext: true, hasPrev: false }],
  ])('a total of %p, page %p', (total, page, meta) => {
    const response = paginate({ data: ['a'], total, parsed: at(page, 10) });
    expect(response).toStrictEqual({ data: ['a'], meta: { page, limit: 10, ...meta } });
  });

  it.each([NaN, -1, 1.5, Infinity, '', '-1', '1e3', 'many', -1n])(
    'refuses the total %p',
    (total) => {
      expect(() => paginate({ data: [], total, parsed: at(1, 10) })).toThrow(InvalidTotalError);
    },
  );

  it('without a total reads hasNext from the extra row', () => {
    const total = { kind: 'none' } as const;
    expect(paginate({ data: rows(4), total, parsed: at(2, 3) })).toStrictEqual({
      data: [0, 1, 2],
      meta: { page: 2, limit: 3, hasNext: true, hasPrev: true },
    });
    expect(paginate({ data: rows(3), total, parsed: at(1, 3) }).meta.hasNext).toBe(false);
  });

  it('with a capped total says if it is a lower bound', () => {
    const capped = (counted: number, length: number) =>
      paginate({
        data: rows(length),
        total: { kind: 'capped', cap: 1000, counted },
        parsed: at(1, 20),
      }).meta;
    expect(capped(1001, 21)).toStrictEqual({
      page: 1,
      limit: 20,
      total: 1000,
      totalPages: 50,
      hasNext: true,
      hasPrev: false,
      totalIsLowerBound: true,
    });
    expect(capped(20, 20)).toMatchObject({ total: 20, totalIsLowerBound: false, hasNext: false });
    // Without the extra row, the count proves that there is a next page.
    expect(capped(1000, 20)).toMatchObject({ total: 1000, totalPages: 50, hasNext: true });
  });

  it('with an estimated total says so', () => {
    const total = { kind: 'estimated', total: '142857' } as const;
    expect(paginate({ data: rows(3), total, parsed: at(1, 2) })).toStrictEqual({
      data: [0, 1],
      meta: {
        page: 1,
        limit: 2,
        total: 142857,
        totalPages: 71429,
        hasNext: true,
        hasPrev: false,
        totalIsEstimate: true,
      },
    });
    const metaOf = (isExact: boolean) =>
      paginate({ data: rows(2), total: { ...total, isExact }, parsed: at(1, 2) }).meta;
    expect(metaOf(true)).toMatchObject({ totalIsEstimate: false, hasNext: true });
    expect(metaOf(false)).toMatchObject({ totalIsEstimate: true, hasNext: false });
  });

  it.each([
    [Promise.resolve(rows(3)), '[object Promise]'],
    [new Set(rows(3)), '[object Set]'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('rejects data that is not an array: %p', async (data, shown) => {
    const given = data as never;
    const message =
      `The \`data\` of a page is ${shown}, but must be an array of rows. ` +
      'Await the rows, and pass them in an object: paginate({ data, total }).';
    const cursorOf = String;
    for (const total of [3, { kind: 'none' } as const]) {
      expect(() => paginate({ data: given, total, parsed: at(1, 2) })).toThrow(message);
    }
    expect(() => paginate({ data: given, cursorOf, parsed: at(1, 2) })).toThrow(message);
    if (data instanceof Promise) return;
    await expect(paginate(() => ({ data: given, total: 3 }), at(1, 2))).rejects.toThrow(message);
  });

  it('rejects the pair that findAndCount() of TypeORM returns', async () => {
    const pair = [rows(3), 3] as never;
    expect(() => paginate(pair)).toThrow('The `data` of a page is undefined, but');
    await expect(paginate(() => pair, at(1, 2))).rejects.toThrow(
      'The `data` of a page is undefined, but',
    );
  });

  it.each([null, Promise.resolve(3)])('refuses the total %p', (total) => {
    const given = total as never;
    expect(() => paginate({ data: [], total: given, parsed: at(1, 10) })).toThrow(
      InvalidTotalError,
    );
  });
});

describe('paginate(fetcher, parsed)', () => {
  it('awaits the page and its count in parallel', async () => {
    const started: string[] = [];
    let release = () => {};
    const both = new Promise<void>((resolve) => (release = resolve));
    const start = async <T>(name: string, value: T) => {
      started.push(name);
      if (started.length === 2) release();
      await both;
      return value;
    };
    const response = await paginate(
      ({ pagination }) => ({
        data: start('page', rows(pagination.limit)),
        total: start('count', 5n),
      }),
      at(1, 2),
    );
    expect(response).toEqual({
      data: [0, 1],
      meta: { page: 1, limit: 2, total: 5, totalPages: 3, hasNext: true, hasPrev: false },
    });
  });

  it('rejects if its fetcher fails, and handles every rejection', async () => {
    const fault = new Error('down');
    await expect(
      paginate(() => Promise.reject<{ data: []; total: 0 }>(fault), at(1, 2)),
    ).rejects.toBe(fault);
    await expect(
      paginate(
        () => ({
          data: Promise.reject<[]>(fault),
          total: Promise.reject<number>(new Error('too')),
        }),
        at(1, 2),
      ),
    ).rejects.toBe(fault);
  });
});
