// A misspelled name of an option or config would be ignored: a limit would not hold, or a list be wider than it should.
import { buildQueryString, compileQuery, paginate, parseQuery } from '@fledge/query';
import { fromAgGrid, fromRefine, fromTanStackTable } from '@fledge/query/client';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginate, Qs, QueryModule } from '@fledge/query/nest';
import { prismaAdapter } from '@fledge/query/prisma';
import { describe, expect, it } from '@jest/globals';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { mergeOptions } from '../src/query.defaults.js';
import { listen, servers } from './support/servers.js';
import { decorate } from './support/decorate.js';

const CONFIG = { filterable: ['status'], sortable: ['title'] };
const tasks = pgTable('tasks', { id: integer().primaryKey() });

describe('a wrong option', () => {
  it.each<[unknown, string]>([
    [{ maxLimt: 5 }, 'The query option `maxLimt` is not an option. Did you mean maxLimit?'],
    [{ limits: { maxFilter: 1 } }, '`limits.maxFilter` is not an option. Did you mean maxFilters?'],
    [{ limits: 5 }, '`limits` is 5, but must be an object with maxFilters,'],
    [{ limits: null }, '`limits` is null, but must be an object'],
    [{ onInvalid: 'trow' }, "`onInvalid` is \"trow\", but must be 'drop' or 'throw'."],
    [{ where: 'yes' }, '`where` is "yes", but must be true or false.'],
    [{ cursors: 'x' }, '`cursors` is "x", but must be true or false.'],
    [{ pastEnd: 'lst' }, "`pastEnd` is \"lst\", but must be 'empty' or 'last'."],
    [{ onReject: 'x' }, '`onReject` is "x", but must be a function.'],
    [{ operators: 'nin' }, '`operators` is "nin", but must be a list of nin, isnull, ieq, has.'],
    [
      { defaultLimit: 20, maxLimit: 10 },
      'The query option `defaultLimit` is 20, but must be at most `maxLimit`, which is 10.',
    ],
    [null, 'is null, but must be an object'],
    [5, 'is 5, but must be an object'],
  ])('%j is refused by functions and decorators', (options, message) => {
    for (const call of [
      () => compileQuery(CONFIG, options as never),
      () => parseQuery({}, CONFIG, options as never),
      ...(options === null
        ? []
        : [() => decorate(Qs(CONFIG, options)), () => decorate(Paginate(CONFIG, options))]),
    ]) {
      expect(call).toThrow(message);
    }
  });

  it.each<[unknown, string]>([
    [{ maxLimt: 5 }, 'QueryModule.forRoot({ maxLimt }) is not an option. Did you mean maxLimit?'],
    [
      { linkHeaders: true },
      'QueryModule.forRoot({ linkHeaders }) is not an option. Did you mean link',
    ],
    [{ cursor: {} }, 'QueryModule.forRoot({ cursor }) is not an option. Did you mean cursors?'],
    [{ onInvalid: 'trow' }, 'QueryModule.forRoot({ onInvalid }) is "trow"'],
    [
      { cursors: { secret: 's'.repeat(16), scpe: () => 'a' } },
      'QueryModule.forRoot({ cursors.scpe }) is not an option. Did you mean scope?',
    ],
    [
      { defaultLimit: 20, maxLimit: 10 },
      'QueryModule.forRoot({ defaultLimit }) is 20, but must be at most `maxLimit`, which is 10.',
    ],
  ])('%j stops the start', async (options, message) => {
    for (const server of servers) {
      const started = listen(server, { imports: [QueryModule.forRoot(options as never)] });
      await expect(started).rejects.toThrow(message);
    }
  });
});

it('the maxLimit of a route limits the defaultLimit of the module, and the reverse', () => {
  for (const [module, route] of [
    [{ defaultLimit: 50 }, { maxLimit: 10 }],
    [{ maxLimit: 10 }, { defaultLimit: 50 }],
    [{ defaultLimit: 50, maxLimit: 60 }, { maxLimit: 10 }],
  ] as const) {
    const parse = compileQuery(CONFIG, mergeOptions(module, route));
    expect(parse({}).pagination.limit).toBe(10);
  }
  const mistake = () => compileQuery(CONFIG, mergeOptions({}, { defaultLimit: 9, maxLimit: 8 }));
  expect(mistake).toThrow('`defaultLimit` is 9');
});

describe('a wrong name in a config', () => {
  it.each<[unknown, string]>([
    [
      { ...CONFIG, sortabel: [] },
      '`sortabel` of a query config is not an option. Did you mean sortable?',
    ],
    [
      { filterble: ['a'] },
      '`filterble` of a query config is not an option. Did you mean filterable?',
    ],
    [{ columns: {}, searchColumn: [] }, 'Did you mean searchColumns?'],
    [{ columns: { id: 'int' }, primaryKey: 'id' }, 'Column "id" has the unknown type "int".'],
    [{ columns: { id: { type: 'int' } } }, 'Column "id" has the unknown type "int".'],
  ])('%j is refused by functions and decorators', (config, message) => {
    expect(() => compileQuery(config as never)).toThrow(message);
    const decorated = () => decorate(Qs(config as never));
    expect(decorated).toThrow(message);
    expect(decorated).toThrow('Tasks.list: ');
  });

  it.each<[object, string]>([
    [
      { columns: { n: { type: 'integer', nullble: false } } },
      '`columns.n.nullble` of a query config is not an option. Did you mean nullable?',
    ],
    [
      { columns: { 'tags.name': 'string' }, relations: { tags: { mny: true } } },
      '`relations.tags.mny` of a query config is not an option. Did you mean many?',
    ],
    [
      { columns: { 'athor.name': 'string' }, relations: { author: {} } },
      'goes through the relation "athor", which `relations` does not declare. Did you mean "author"?',
    ],
    [{ columns: {}, defaultSort: 'nope:asc' }, '`defaultSort` of a query config contains "nope"'],
    [{ columns: {}, defaultSort: 's:up' }, '`defaultSort` of a query config contains "s:up"'],
    [
      { columns: { n: { type: 'integer', operators: ['equals'] } } },
      '`columns.n.operators[0]` of a query config is "equals", but must be \'eq\', ',
    ],
    [
      { columns: { n: { type: 'integer', operators: 'eq' } } },
      '`columns.n.operators` of a query config is "eq", but must be a list of eq, ',
    ],
    [
      { columns: { n: { type: 'integer', min: 5, max: 1 } } },
      '`columns.n.min` of a query config is 5, but must be at most `max`, which is 1.',
    ],
  ])('%j is refused by check()', (config, message) => {
    const joined = { ...config, provider: 'postgresql' } as never;
    for (const { check } of [kyselyAdapter, knexAdapter, memoryAdapter, prismaAdapter]) {
      expect(() => check(joined)).toThrow(message);
    }
  });

  it('is refused by check() also next to an equal config that was accepted', () => {
    const config = { columns: { id: tasks.id } };
    drizzleAdapter.check(config);
    expect(() => drizzleAdapter.check({ ...config, sortabel: {} } as never)).toThrow('sortabel');
    const declared = { columns: { id: { column: tasks.id, nullble: true } } };
    expect(() => drizzleAdapter.check(declared as never)).toThrow('Did you mean nullable?');
  });
});

describe('strict mode', () => {
  const problemsOf = (query: object, options = {}) => {
    try {
      parseQuery(query, CONFIG, { onInvalid: 'throw', ...options });
      return [];
    } catch (error) {
      return (error as { errors: object[] }).errors;
    }
  };

  it.each(['status', 'status[eq]', 'status[]'])(
    'refuses the parameter %s, and says how to filter',
    (name) => {
      expect(problemsOf({ [name]: 'open' })).toEqual([
        {
          kind: 'filter',
          field: 'status',
          reason: 'malformed',
          expected: 'filter=status:eq:value',
        },
      ]);
    },
  );

  it.each([
    ['filters', '`filter` instead of "filters"'],
    ['fliter', '`filter` instead of "fliter"'],
    ['Filter', '`filter` instead of "Filter"'],
    ['filters[0]', '`filter` instead of "filters"'],
    ['limits', '`limit` instead of "limits"'],
    ['pages', '`page` instead of "pages"'],
  ])('refuses the misspelled parameter %s', (name, expected) => {
    expect(problemsOf({ [name]: 'a:eq:b' })).toEqual([expect.objectContaining({ expected })]);
  });

  it('refuses where on a list that does not read it', () => {
    expect(problemsOf({ where: 'status:eq:open' })).toEqual([
      { kind: 'where', reason: 'not-expressible', expected: '`filter` instead of `where`' },
    ]);
    expect(problemsOf({ where: 'status:eq:open' }, { where: true })).toEqual([]);
  });

  it.each(['afterDate', 'include', 'x', 'title', 'fieldset', 'utm_source', 'v'])(
    'leaves the parameter %s to the handler',
    (name) => {
      expect(problemsOf({ [name]: 'open' })).toEqual([]);
    },
  );

  it('is needed for that: the default ignores such parameters', () => {
    expect(parseQuery({ status: 'open', filters: 'a' }, CONFIG).filters).toEqual([]);
  });
});

describe('pastEnd', () => {
  it('holds for paginate with what parseQuery returns', async () => {
    const parsed = parseQuery({ page: '9', limit: '2' }, CONFIG, { pastEnd: 'last' });
    const fetcher = ({ pagination: { offset } }: { pagination: { offset: number } }) => ({
      data: [1, 2, 3].slice(offset, offset + 2),
      total: 3,
    });
    expect(await paginate(fetcher, parsed)).toMatchObject({ data: [3], meta: { page: 2 } });
    expect(await paginate(fetcher, { ...parsed })).toMatchObject({ data: [3] });
    expect(JSON.stringify(parsed)).not.toContain('last');
  });
});

describe('buildQueryString refuses what parsing would drop', () => {
  it.each<[object, string]>([
    [{ sort: [{ field: 'a', direction: 'up' }] }, 'sort by "a" in the direction "up"'],
    [{ sort: [{ field: 'a' }] }, 'sort by "a" in the direction "undefined"'],
    [fromRefine({ sorters: [{ field: 'b', order: null as never }] }), 'direction "null"'],
    [fromAgGrid({ endRow: 9, sortModel: [{ colId: 'c', sort: null as never }] }), '"null"'],
    [
      { sort: ['asc', 'desc'].map((direction) => ({ field: 'a', direction })) },
      'second sort by "a"',
    ],
    [{ filters: [{ field: 'a', operator: 'like', value: 'x' }] }, 'with the operator "like"'],
    [{ where: { not: { field: 'a', operator: 'like', value: 'x' } } }, 'operator "like"'],
  ])('%j', (parsed, message) => {
    expect(() => buildQueryString(parsed)).toThrow(message);
  });

  it('from grids too, whose cleared filters are left out', () => {
    const operators = { a: 'like' as 'eq' };
    const state = { columnFilters: [{ id: 'a', value: 'x' }] };
    expect(() => fromTanStackTable(state, { operators })).toThrow('with the operator "like"');
    expect(fromAgGrid({ endRow: 10, filterModel: { x: null } }).filters).toEqual([]);
  });
});
