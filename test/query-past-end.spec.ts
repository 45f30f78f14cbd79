// A page after the last one: no rows, or by option the last page, with the `meta` of the page that is given.
import { paginate, parseQuery, type PaginatedResponse } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Ctx, type RequestContext } from '@fledge/core';
import { Paginate, type Paginator, QueryModule } from '@fledge/query/nest';
import { ContextModule } from '@fledge/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import type { AnyParsedQuery } from '../libs/query/src/parse/parsed-query.js';
import { listen, type Running, servers } from '../libs/query/test/support/servers.js';

const TASKS = { columns: { id: 'integer' }, primaryKey: 'id' } as const;
const rows = Array.from({ length: 5 }, (_, i) => ({ id: i + 1 }));
let fetches = 0;

const find = (query: AnyParsedQuery, from: readonly { id: number }[] = rows) => {
  fetches++;
  return memoryAdapter.build(query, TASKS).apply(from);
};

const idsOf = ({ data }: PaginatedResponse<{ id: number }>) => data.map(({ id }) => id);
const last = { pastEnd: 'last' } as const;

beforeEach(() => {
  fetches = 0;
});

describe('pastEnd', () => {
  const parsed = parseQuery({ page: '9', limit: '2' }, TASKS);
  const pastEnd = parseQuery({ page: '9', limit: '2' }, TASKS, last);

  it('gives no rows by default', async () => {
    const page = await paginate(find, parsed);
    expect([idsOf(page), page.meta.page, fetches]).toEqual([[], 9, 1]);
  });

  it.each([
    ['9', [5], 3, 2],
    ['4', [5], 3, 2],
    ['3', [5], 3, 1],
    ['1', [1, 2], 1, 1],
  ])('last: page %s', async (page, ids, number, times) => {
    const answer = await paginate(find, parseQuery({ page, limit: '2' }, TASKS, last));
    expect([idsOf(answer), fetches]).toEqual([ids, times]);
    expect(answer.meta).toEqual({
      page: number,
      limit: 2,
      total: 5,
      totalPages: 3,
      hasNext: number < 3,
      hasPrev: number > 1,
    });
  });

  it('last: the first page of an empty list, without a second fetch', async () => {
    const answer = await paginate((query) => find(query, []), pastEnd);
    expect([answer.data, fetches]).toEqual([[], 1]);
    expect(answer.meta).toMatchObject({ page: 1, totalPages: 0, hasNext: false, hasPrev: false });
  });

  it('last: fetches a second time only, if rows go meanwhile', async () => {
    const answer = await paginate((query) => find(query, fetches === 0 ? rows : []), pastEnd);
    expect([answer.data, answer.meta.page, fetches]).toEqual([[], 3, 2]);
  });

  it.each([{ kind: 'none' }, { kind: 'estimated', total: 5 }] as const)(
    'last: no rows for the total %j, which does not tell the last page',
    async (total) => {
      const answer = await paginate((query) => ({ ...find(query), total }), pastEnd);
      expect([answer.data, answer.meta.page, fetches]).toEqual([[], 9, 1]);
    },
  );
});

@Controller()
class TasksController {
  @Get('paginator')
  paginator(@Paginate(TASKS, last) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => find(query));
  }

  @Get('context')
  context(@Ctx() ctx: RequestContext) {
    return ctx.paginate((query) => find(query), TASKS, last);
  }

  @Get('empty')
  empty(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => find(query));
  }
}

describe.each(servers)('pastEnd on $name', (server) => {
  let running: Running;
  beforeAll(async () => {
    const imports = [ContextModule.forRoot(), QueryModule.forRoot({ linkHeader: true })];
    running = await listen(server, { imports, controllers: [TasksController] });
  });
  afterAll(() => running.close());

  it.each(['paginator', 'context'])('last: %s, with the links of that page', async (route) => {
    const { body, link } = await running.get(`/${route}?page=9&limit=2`);
    expect(body).toMatchObject({ data: [{ id: 5 }], meta: { page: 3, hasPrev: true } });
    expect(link).toContain(`</${route}?page=2&limit=2>; rel="prev"`);
    expect(link).not.toContain('rel="next"');
  });

  it('is off by default', async () => {
    expect((await running.get('/empty?page=9&limit=2')).body).toMatchObject({
      data: [],
      meta: { page: 9 },
    });
  });
});
