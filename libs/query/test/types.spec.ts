import { expect, it } from '@jest/globals';
import {
  compileQuery,
  type FilterItem,
  type FilterOperator,
  paginate,
  type PaginatedResponse,
  type ParsedFields,
  type ParsedQuery,
  parseQuery,
  type QueryFieldConfig,
  type SlicedResponse,
  type SortItem,
} from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `typeOf(value).is<T>()` is a compile error unless the types are the same. */
function typeOf<T>(value: T) {
  return { is: <U>(..._proof: Equal<T, U> extends true ? [] : [never]) => value };
}

const TASKS = { filterable: ['status', 'priority'], sortable: ['createdAt'] } as const;

it('typeOf() distinguishes types', () => {
  // @ts-expect-error -- typeOf() must be able to fail
  typeOf<'a'>('a').is<string>();
  // @ts-expect-error -- and must not accept any
  typeOf<string>('a').is<any>(); // oxlint-disable-line typescript/no-explicit-any
  expect(typeOf('a').is<string>()).toBe('a');
});

it('fields have the literal types of the config', () => {
  const parsed = parseQuery({}, TASKS);
  typeOf(parsed).is<ParsedFields<'status' | 'priority', 'createdAt', never>>();
  typeOf(parsed).is<ParsedQuery<typeof TASKS>>();
  typeOf(parsed.filters).is<FilterItem<'status' | 'priority'>[]>();
  typeOf(parsed.filters.map(({ operator }) => operator)).is<FilterOperator[]>();
  typeOf(parseQuery({}, { filterable: ['a', 'b'] })).is<ParsedFields<'a' | 'b', never, never>>();
  const columns = { columns: { id: 1, title: 2 }, sortable: { title: 2 } };
  typeOf(compileQuery(columns)({})).is<ParsedFields<'id' | 'title', 'title', never>>();
  typeOf(parseQuery({}, { columns: { id: 1 } })).is<ParsedFields<'id', 'id', never>>();
  expect(parsed.filters).toEqual([]);
});

it('fields are strings without a config, or with one that is not as const', () => {
  typeOf(parseQuery({})).is<ParsedQuery>();
  typeOf(parseQuery({})).is<ParsedFields<string, string, never, string>>();
  const config: QueryFieldConfig = Math.random() < 2 ? TASKS : {};
  typeOf(parseQuery({}, config).sort).is<SortItem[]>();
  const names: string[] = ['a'];
  typeOf(parseQuery({}, { filterable: names })).is<ParsedFields<string, never, never>>();
  expect(names).toEqual(['a']);
});

it('a query with fewer fields is assignable to one with any', () => {
  const whole: ParsedQuery = parseQuery({}, TASKS);
  const filters: FilterItem[] = parseQuery({}, TASKS).filters;
  const sort: SortItem[] = parseQuery({}, TASKS).sort;
  // @ts-expect-error -- but not the other way round
  const fewer: ParsedQuery<typeof TASKS> = parseQuery({});
  expect([filters, sort, fewer]).toEqual([[], [], whole]);
});

it('opt-in operators are in the type if the options list them', () => {
  const parsed = parseQuery({}, TASKS, { operators: ['nin'] });
  typeOf(parsed.filters).is<FilterItem<'status' | 'priority', 'nin'>[]>();
  // @ts-expect-error -- the operators are no longer the eleven
  const plain: ParsedQuery = parsed;
  expect(plain.filters).toEqual([]);
});

it('the type of the total determines the type of the response', async () => {
  const parsed = parseQuery({});
  const exact = paginate({ data: [1], total: 1n, parsed });
  typeOf(exact).is<PaginatedResponse<number>>();
  typeOf(paginate({ data: ['a'], total: { kind: 'none' }, parsed })).is<SlicedResponse<string>>();
  const fetched = await paginate(() => ({ data: Promise.resolve([1]), total: '1' }), parsed);
  typeOf(fetched).is<PaginatedResponse<number>>();
  expect(fetched).toEqual(exact);
});

it('fields have the literal types of the config, and cut the types of rows', () => {
  const config = { columns: { id: 'integer' }, selectable: ['title'], primaryKey: 'id' } as const;
  const parsed = parseQuery({ fields: 'title' }, config);
  typeOf(parsed).is<ParsedFields<'id', 'id', never, 'title'>>();
  const record = { columns: {}, selectable: { a: 1, b: 2 } };
  typeOf(parseQuery({}, record)).is<ParsedFields<never, never, never, 'a' | 'b'>>();
  const rows = [{ id: 1, title: 'a' }];
  const cut = memoryAdapter.build(parsed, config).apply(rows).data;
  typeOf(cut).is<Partial<{ id: number; title: string }>[]>();
  const whole = memoryAdapter.build(parsed, { columns: config.columns }).apply(rows).data;
  typeOf(whole).is<{ id: number; title: string }[]>();
  const any: ParsedQuery = parsed;
  expect([cut, any.fields]).toEqual([rows, ['title']]);
});
