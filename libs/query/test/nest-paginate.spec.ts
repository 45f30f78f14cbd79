import { linkHeader, paginate, type ParsedQuery, parseQuery } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule, QueryPipe } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, Query, Req, Res } from '@nestjs/common';
import { of } from 'rxjs';
import { type Running, listen, servers } from './support/servers.js';

const TASKS = { filterable: ['status'], sortable: ['title'] } as const;

@Controller()
class TasksController {
  @Get('qs')
  qs(
    @Qs(TASKS, { maxLimit: 10 }) query: ParsedQuery<typeof TASKS>,
    @Paginate() page: Paginator<typeof TASKS>,
  ) {
    return Promise.resolve(page({ data: [query.pagination.offset], total: 57n }));
  }

  @Get('observable')
  observable(@Paginate(TASKS) page: Paginator<typeof TASKS>) {
    return of({ ...page({ data: [], total: '57' }), facets: { open: 3 } });
  }

  @Get('sliced')
  sliced(@Paginate(TASKS) page: Paginator<typeof TASKS>) {
    const { limit } = page.parsed.pagination;
    return page({ data: Array(limit + 1).fill(0), total: { kind: 'none' } });
  }

  @Get('pipe')
  pipe(@Query(new QueryPipe(TASKS, { maxLimit: 5 })) parsed: ParsedQuery<typeof TASKS>) {
    return paginate({ data: [], total: 57, parsed });
  }

  @Get('bare')
  bare(@Paginate() page: Paginator) {
    return page({ data: [], total: 57 });
  }

  @Get('done')
  done(@Paginate(TASKS) page: Paginator<typeof TASKS>) {
    return page({ data: [], total: 57 });
  }

  @Get('own')
  own(@Qs(TASKS) parsed: ParsedQuery<typeof TASKS>) {
    return paginate({ data: [1], total: 1, parsed });
  }

  @Get('list')
  list() {
    return [1, 2];
  }

  @Get('other')
  other() {
    return { data: 'text', total: 3 };
  }
}

const BROAD = { operators: ['nin'], maxLimit: 500 } as const;

@Controller()
class BroadController {
  @Get('paged')
  paged(@Paginate(TASKS, BROAD) page: Paginator<typeof TASKS>) {
    return page({ data: [], total: 900 });
  }

  @Get('pipe')
  pipe(@Query(new QueryPipe(TASKS, BROAD)) parsed: ParsedQuery<typeof TASKS, 'nin'>) {
    return paginate({ data: [], total: 900, parsed });
  }

  @Get('bare')
  bare(@Query() query: object) {
    return paginate({ data: [], total: 900, parsed: parseQuery(query, TASKS, BROAD) });
  }
}

@Controller()
class LinkedController {
  @Get('linked')
  linked(
    @Qs(TASKS) parsed: ParsedQuery<typeof TASKS>,
    @Req() { url }: { readonly url: string },
    @Res({ passthrough: true }) response: { header(name: string, value: string): void },
  ) {
    const page = paginate({ data: [], total: 57, parsed });
    response.header('link', linkHeader(url, parsed, page.meta));
    return page;
  }
}

describe.each(servers)('$name', (server) => {
  let plain: Running;
  let linking: Running;

  beforeAll(async () => {
    const controllers = [TasksController, LinkedController];
    const prefixed = (app: INestApplication) => void app.setGlobalPrefix('api');
    plain = await listen(server, { controllers });
    const imports = [QueryModule.forRoot({ linkHeader: true, maxLimit: 50 })];
    linking = await listen(server, { imports, controllers }, prefixed);
  });
  afterAll(async () => {
    await plain.close();
    await linking.close();
  });

  it.each<[string, unknown]>([
    [
      '/qs?page=2&limit=500',
      {
        data: [10],
        meta: { page: 2, limit: 10, total: 57, totalPages: 6, hasNext: true, hasPrev: true },
      },
    ],
    [
      '/observable?page=3',
      {
        data: [],
        facets: { open: 3 },
        meta: { page: 3, limit: 20, total: 57, totalPages: 3, hasNext: false, hasPrev: true },
      },
    ],
    ['/sliced?limit=1', { data: [0], meta: { page: 1, limit: 1, hasNext: true, hasPrev: false } }],
    [
      '/pipe?limit=20',
      {
        data: [],
        meta: { page: 1, limit: 5, total: 57, totalPages: 12, hasNext: true, hasPrev: false },
      },
    ],
    [
      '/bare?page=2',
      {
        data: [],
        meta: { page: 2, limit: 20, total: 57, totalPages: 3, hasNext: true, hasPrev: true },
      },
    ],
    ['/list', [1, 2]],
    ['/other', { data: 'text', total: 3 }],
    [
      '/own',
      {
        data: [1],
        meta: { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false, hasPrev: false },
      },
    ],
  ])('answers with the page that the handler returns: %s', async (path, body) => {
    expect(await plain.get(path)).toEqual({ status: 200, body, link: null });
  });

  it.each(['qs', 'done'])('sets the Link header if linkHeader is on: %s', async (route) => {
    const { status, link } = await linking.get(
      `/api/${route}?filter=status:eq:a%3Eb&x=1&page=2&limit=10`,
    );
    expect(status).toBe(200);
    const links = [...(link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => {
      const { origin, pathname, searchParams } = new URL(target!, 'http://other');
      return [rel, origin, pathname, Object.fromEntries(searchParams)];
    });
    const to = (page?: string) => [
      'http://other',
      `/api/${route}`,
      { x: '1', filter: 'status:eq:a>b', ...(page && { page }), limit: '10' },
    ];
    expect(links).toEqual([
      ['first', ...to('1')],
      ['prev', ...to('1')],
      ['next', ...to('3')],
      ['last', ...to('6')],
    ]);
  });

  it.each(['paged', 'pipe', 'bare'])('links with the rules of the handler: %s', async (route) => {
    const path = `/${route}?filter=status:nin:a,b&limit=200`;
    const strict = { imports: [QueryModule.forRoot({ linkHeader: true, onInvalid: 'throw' })] };
    const running = await listen(server, { ...strict, controllers: [BroadController] });
    const { status, link } = await running.get(path);
    await running.close();
    expect(status).toBe(200);
    const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
    expect(Object.fromEntries(new URL(next!, 'http://a').searchParams)).toEqual({
      filter: 'status:nin:a,b',
      page: '2',
      limit: '200',
    });
  });

  it.each(['list', 'other'])('sets no Link header for another response: %s', async (route) => {
    expect((await linking.get(`/api/${route}`)).link).toBeNull();
  });

  it('sets the Link header for one route', async () => {
    expect((await plain.get('/linked')).link).toMatch(/^<\/linked\?[^>]*>; rel="first", /);
  });
});
