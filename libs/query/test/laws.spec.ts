import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AnyParsedQuery,
  buildQueryParams,
  buildQueryString,
  InvalidQueryError,
  parseQuery,
  type QueryFieldConfig,
  type QueryOptions,
} from '@fledge/query';
import fc from 'fast-check';
import { servers } from './support/decoders.js';

const unit = fc.constantFrom(
  ...['a', 'b', ':', ',', '\\', ' ', '0', '9', '+', '-', '&', '=', '%', '[', ']', '.', '\0', 'é'],
  ...['😀', '\ud800', '\udc00', '\ufeff', '\u2028', '__proto__', 'eq', 'asc'],
);
const text = fc.oneof(
  fc.string({ unit }),
  fc.string({ unit: 'binary' }),
  fc.string({ unit, minLength: 190, maxLength: 230 }),
);
const field = fc.constantFrom('a', 'b', 'a:b', 'constructor', '__proto__', 'é', '\ud800', '');
const operator = fc.constantFrom('eq', 'in', 'between', 'nin', 'isnull', 'like', 'EQ');
const filter = fc.oneof(
  fc.tuple(field, operator, text).map((parts) => parts.join(':')),
  text,
);
const sort = fc.oneof(
  fc.tuple(field, fc.constantFrom('asc', 'DESC', 'up')).map((parts) => parts.join(':')),
  text,
);
const count = fc.oneof(
  text,
  fc.nat().map(String),
  fc.bigInt().map(String),
  fc.integer(),
  fc.double(),
);
const repeated = (item: fc.Arbitrary<string>) =>
  fc.oneof(
    item,
    fc.array(item, { maxLength: 60 }),
    fc.dictionary(fc.oneof(fc.nat().map(String), text), item),
    fc.anything(),
  );
const key = fc.constantFrom(
  'filter',
  'filter[]',
  'filter[0]',
  'filter[x]',
  'sort[]',
  'sort[1]',
  '__proto__',
);
const query = fc.oneof(
  fc.anything(),
  fc
    .record(
      {
        filter: repeated(filter),
        sort: repeated(sort),
        page: repeated(count as never),
        limit: fc.oneof(count, fc.anything()),
        q: repeated(text),
      },
      { requiredKeys: [] },
    )
    .chain((known) =>
      fc.dictionary(key, repeated(filter)).map((others) => ({ ...others, ...known })),
    ),
);
const names = fc.option(fc.array(field), { nil: undefined });
const config: fc.Arbitrary<QueryFieldConfig | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ filterable: names, sortable: names }),
  // Not undefined columns, a mistake in the config: see config-mistakes.spec.ts.
  fc.record({
    columns: fc.dictionary(
      field,
      fc.anything().filter((column) => column !== undefined),
    ),
  }),
);
const options: fc.Arbitrary<QueryOptions<'nin' | 'isnull'>> = fc.record(
  {
    operators: fc.constant(['nin', 'isnull'] as const),
    maxLimit: fc.integer({ min: 1, max: 500 }),
  },
  { requiredKeys: [] },
);

/** The parsed query, or undefined if it is refused. Other errors fail the test. */
function parsedOf(
  given: unknown,
  lists: QueryFieldConfig | undefined,
  how: QueryOptions<'nin' | 'isnull'>,
): AnyParsedQuery | undefined {
  try {
    return parseQuery(given, lists, how);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidQueryError);
    expect((error as InvalidQueryError).errors.length).toBeGreaterThan(0);
    return undefined;
  }
}

describe('for every query, config and options', () => {
  it('parse(build(parse(x))) is parse(x), and page, limit, offset and search keep their bounds', () => {
    let parsedSome = 0;
    let withFilters = 0;
    fc.assert(
      fc.property(query, config, options, (given, lists, how) => {
        const parsed = parsedOf(given, lists, how);
        if (parsed === undefined) return;
        parsedSome++;
        if (parsed.filters.length > 0) withFilters++;
        const { page, limit, offset } = parsed.pagination;
        expect(limit).toBeGreaterThanOrEqual(1);
        expect(limit).toBeLessThanOrEqual(how.maxLimit ?? 100);
        expect(page).toBeGreaterThanOrEqual(1);
        expect(Number.isSafeInteger(page)).toBe(true);
        expect(offset).toBe((page - 1) * limit);
        expect(offset).toBeLessThanOrEqual(2 ** 31 - 1);
        expect([...parsed.search].length).toBeLessThanOrEqual(200);
        expect(parsed.filters.length).toBeLessThanOrEqual(50);
        expect(new Set(parsed.sort.map((item) => item.field)).size).toBe(parsed.sort.length);
        const built = buildQueryParams(parsed);
        expect(JSON.stringify(built)).not.toMatch(/\\ud[89a-f]/);
        expect(() => encodeURI(JSON.stringify(built))).not.toThrow();
        expect(parseQuery(built, lists, how)).toStrictEqual(parsed);
      }),
      { numRuns: 4000 },
    );
    // Most generated queries must get here; otherwise the property was hardly tested.
    expect(parsedSome).toBeGreaterThan(2000);
    expect(withFilters).toBeGreaterThan(200);
  });

  it('accepts no field that is not listed', () => {
    fc.assert(
      fc.property(query, names, names, (given, filterable = [], sortable = []) => {
        const parsed = parsedOf(given, { filterable, sortable }, {});
        for (const item of parsed?.filters ?? []) expect(filterable).toContain(item.field);
        for (const item of parsed?.sort ?? []) expect(sortable).toContain(item.field);
      }),
      { numRuns: 1000 },
    );
  });

  it('does not change its arguments', () => {
    fc.assert(
      fc.property(query, (given) => {
        const before = fc.stringify(given);
        parsedOf(given, undefined, {});
        expect(fc.stringify(given)).toBe(before);
        expect(({} as Record<string, unknown>)['filter']).toBeUndefined();
      }),
    );
  });
});

// Also with 21 to 50 filters, for which servers decode repeated keys differently.
const written = fc
  .tuple(
    fc.array(
      fc.tuple(
        text.filter((value) => value !== ''),
        fc.constantFrom('a', 'b'),
      ),
      { maxLength: 50 },
    ),
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
    fc.integer({ min: 1, max: 1e6 }),
    fc.integer({ min: 1, max: 100 }),
    text,
  )
  .map(([filters, sorts, page, limit, q]) =>
    parseQuery({
      filter: filters.map(([value, name]) => `${name}:eq:${value}`),
      sort: sorts.map((name) => `${name}:desc`),
      page,
      limit,
      q,
    }),
  );

describe.each([
  ...servers,
  {
    name: 'URLSearchParams',
    open: () =>
      Promise.resolve({
        decode: (encoded: string) => {
          const search = new URLSearchParams(encoded);
          const lists = { filter: search.getAll('filter'), sort: search.getAll('sort') };
          return Promise.resolve({ ...Object.fromEntries(search), ...lists });
        },
        close: () => Promise.resolve(),
      }),
  },
])('over $name', ({ open }) => {
  let decode: (encoded: string) => Promise<unknown>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ decode, close } = await open());
  });
  afterAll(() => close());

  it('a written query string is parsed to the same query', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (parsed) => {
        // Servers refuse a request line that exceeds the limit of headers.
        const encoded = buildQueryString(parsed);
        fc.pre(encoded.length < 12_000);
        expect(parseQuery(await decode(encoded))).toStrictEqual(parsed);
      }),
      { numRuns: 200 },
    );
  });
});
