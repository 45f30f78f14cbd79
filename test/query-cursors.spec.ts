// Lists by cursors over HTTP: the parameters, the answer, its links and documents, and cursors that do not belong there.
import { type CursorResponse, paginate, type ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Cursors, Paginate, Paginated, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { Ctx, type RequestContext } from '@fledge/core';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type ModuleMetadata, type Type } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { encodeCursor } from '../libs/query/src/page/cursor.js';
import { listen, type Running, servers } from '../libs/query/test/support/servers.js';

class Task {
  @ApiProperty({ type: 'integer' }) id!: number;
  @ApiProperty({ type: 'integer', nullable: true }) rank!: number | null;
  @ApiProperty({ type: String }) status!: string;
}

const TASKS = {
  columns: { id: { type: 'integer', nullable: false }, rank: 'integer', status: 'string' },
  primaryKey: 'id',
} as const;
type TaskQuery = ParsedQuery<typeof TASKS>;
const on = { cursors: true } as const;

const rows: Task[] = Array.from({ length: 11 }, (_, i) => ({
  id: i + 1,
  rank: i % 4 === 0 ? null : i % 3,
  status: i % 2 ? 'done' : 'open',
}));

@Controller()
class TasksController {
  constructor(private readonly cursors: Cursors) {}

  @Get('list')
  @Paginated(Task, on)
  list(@Qs(TASKS, on) query: TaskQuery, @Paginate() paginate: Paginator): CursorResponse<Task> {
    const page = memoryAdapter.buildKeyset(query, TASKS, paginate.cursor);
    return paginate({ data: page.apply(rows), cursorOf: page.cursorOf });
  }

  @Get('fetcher')
  fetcher(@Paginate(TASKS, on) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => {
      const page = memoryAdapter.buildKeyset(query, TASKS, paginate.cursor);
      return { data: Promise.resolve(page.apply(rows)), cursorOf: page.cursorOf };
    });
  }

  @Get('injected')
  injected(@Qs(TASKS, on) query: TaskQuery) {
    const page = memoryAdapter.buildKeyset(query, TASKS, this.cursors.for(query));
    return paginate({ data: page.apply(rows), cursorOf: page.cursorOf, parsed: query });
  }

  @Get('context')
  context(@Ctx() ctx: RequestContext) {
    return ctx.paginate(
      (query) => {
        const page = memoryAdapter.buildKeyset(query, TASKS, ctx.cursor(query));
        return { data: page.apply(rows), cursorOf: page.cursorOf };
      },
      TASKS,
      on,
    );
  }

  @Get('strict')
  strict(@Qs(TASKS, { ...on, onInvalid: 'throw' }) query: TaskQuery) {
    return query;
  }

  @Get('archive')
  archive(@Qs(TASKS, on) query: TaskQuery) {
    return memoryAdapter.buildKeyset(query, TASKS, this.cursors.for(query, 'archive')).apply(rows);
  }

  @Get('numbered')
  numbered(@Qs(TASKS) query: TaskQuery) {
    return query;
  }

  @Get('off')
  off(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return { secret: typeof paginate.cursor.secret };
  }
}

const secret = 'of this spec alone, and long enough';
const old = 'the secret of last year';
const BY_TENANT: ModuleMetadata = {
  imports: [
    TenantModule.forRoot({ strategy: 'header' }),
    QueryModule.forRootAsync({
      inject: [Tenancy],
      useFactory: (tenancy: Tenancy) => ({
        linkHeader: true,
        cursors: { secret: [secret, old], scope: () => tenancy.currentOrNull()?.tenantId },
      }),
    }),
  ],
  controllers: [TasksController],
};

interface Answer {
  readonly status: number;
  readonly link: string | null;
  readonly body: CursorResponse<Task> & { readonly errors?: readonly object[] };
}

const ROUTES = ['list', 'fetcher', 'injected', 'context'];

describe.each(servers)('lists by cursors on $name', (server) => {
  let running: Running;
  beforeAll(async () => {
    running = await listen(server, BY_TENANT);
  });
  afterAll(() => running.close());

  const get = async (path: string, tenant = 'acme'): Promise<Answer> => {
    const headers = { 'x-tenant-id': tenant };
    const answer = await fetch(`${await running.app.getUrl()}${path}`, { headers });
    const body = (await answer.json()) as Answer['body'];
    return { status: answer.status, link: answer.headers.get('link'), body };
  };
  const cursorOf = async (path: string, tenant = 'acme') =>
    (await get(path, tenant)).body.meta.nextCursor ?? '';

  it.each(ROUTES)('each row once, to the page without a next one: /%s', async (route) => {
    for (const query of ['sort=rank:asc', 'sort=rank:desc&sort=id:desc', 'filter=status:eq:open']) {
      const all = (await get(`/${route}?limit=100&${query}`)).body;
      expect(all.meta).toEqual({
        limit: 100,
        hasNext: false,
        hasPrev: false,
        nextCursor: null,
        prevCursor: null,
      });
      const walked: Task[] = [];
      let after: string | null = '';
      let before = '';
      while (after !== null) {
        const { status, body }: Answer = await get(`/${route}?limit=3&${query}&after=${after}`);
        expect(status).toBe(200);
        expect(body.meta).toEqual({
          limit: 3,
          hasNext: walked.length + 3 < all.data.length,
          hasPrev: walked.length > 0,
          nextCursor: body.meta.hasNext ? expect.any(String) : null,
          prevCursor: walked.length > 0 ? expect.any(String) : null,
        });
        walked.push(...body.data);
        after = body.meta.nextCursor;
        before = body.meta.prevCursor ?? '';
      }
      expect(walked).toEqual(all.data);
      const back = walked.slice(0, Math.floor((walked.length - 1) / 3) * 3);
      while (before !== '') {
        const { status, body }: Answer = await get(`/${route}?limit=3&${query}&before=${before}`);
        expect(status).toBe(200);
        expect(body.data).toEqual(back.splice(-3));
        expect(body.meta).toEqual({
          limit: 3,
          hasNext: true,
          hasPrev: back.length > 0,
          nextCursor: expect.any(String),
          prevCursor: back.length > 0 ? expect.any(String) : null,
        });
        before = body.meta.prevCursor ?? '';
      }
      expect(back).toEqual([]);
    }
  });

  it('knows that a full page is the last one', async () => {
    const first = await get('/list?limit=6');
    const { data, meta } = (await get(`/list?limit=5&after=${first.body.meta.nextCursor}`)).body;
    expect(data).toHaveLength(5);
    expect(meta).toEqual({
      limit: 5,
      hasNext: false,
      hasPrev: true,
      nextCursor: null,
      prevCursor: expect.any(String),
    });
  });

  it('links to the first, the previous and the next page, with every other parameter', async () => {
    const query = 'filter=status:eq:open&sort=rank:desc&x=1';
    const walked: number[] = [];
    let target: string | undefined = `/injected?${query}&limit=2&page=1`;
    while (target !== undefined) {
      const { link, body } = await get(target);
      walked.push(...body.data.map(({ id }) => id));
      const links = new Map(
        [...(link ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, to, rel]) => [rel, to]),
      );
      expect([...links.keys()]).toEqual([
        'first',
        ...(body.meta.hasPrev ? ['prev'] : []),
        ...(body.meta.hasNext ? ['next'] : []),
      ]);
      if (body.meta.prevCursor !== null) {
        expect(parametersOf(links.get('prev'))).toEqual({
          ...parametersOf(`/?${query}&limit=2`),
          before: [body.meta.prevCursor],
        });
      }
      expect(parametersOf(links.get('first'))).toEqual(parametersOf(`/?${query}&limit=2`));
      target = links.get('next');
      if (target === undefined) break;
      expect(parametersOf(target)).toEqual({
        ...parametersOf(`/?${query}&limit=2`),
        after: [body.meta.nextCursor],
      });
    }
    const all = (await get(`/list?${query}`)).body.data;
    expect(walked).toEqual(all.map(({ id }) => id));
  });

  it('drops a page number, and refuses it in strict mode', async () => {
    const after = await cursorOf('/list?limit=2');
    const same = (await get(`/list?limit=2&after=${after}`)).body;
    expect((await get(`/list?limit=2&page=5&after=${after}`)).body).toEqual(same);
    expect(await get(`/strict?page=2&after=${after}`)).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            kind: 'page',
            reason: 'not-expressible',
            expected: 'a cursor in `after` instead of a page number',
          },
        ],
      },
    });
  });

  it('leaves after alone if the option is off', async () => {
    expect((await get('/numbered?after=x&after=y&before=z&page=2')).body).toEqual({
      filters: [],
      sort: [],
      pagination: { page: 2, limit: 20, offset: 20 },
      search: '',
    });
    expect((await get('/off')).status).toBe(500);
  });

  describe('refuses with 400', () => {
    const problem = (reason: string) => ({
      status: 400,
      body: { errors: [{ kind: 'cursor', reason, expected: expect.any(String) }] },
    });

    it.each(ROUTES)('a cursor of another tenant, list, order or secret: /%s', async (route) => {
      const own = await cursorOf(`/${route}?limit=2&sort=rank:asc`);
      const path = `/${route}?sort=rank:asc&after=`;
      expect((await get(path + own)).status).toBe(200);
      expect(await get(path + own, 'globex')).toMatchObject(problem('invalid-value'));
      expect(await get(`/archive?sort=rank:asc&after=${own}`)).toMatchObject(
        problem('invalid-value'),
      );
      expect(await get(`/${route}?sort=rank:desc&after=${own}`)).toMatchObject(
        problem('invalid-value'),
      );
      expect(await get(path + signed('acme', 'a secret of somebody else'))).toMatchObject(
        problem('invalid-value'),
      );
      expect((await get(path + signed('acme', old))).status).toBe(200);
      expect((await get(path + signed('acme', secret))).status).toBe(200);
      // The tenant cannot be moved into the name of the list, or both be joined differently.
      expect(await get(path + signed('', secret, 'acme'))).toMatchObject(problem('invalid-value'));
      expect(await get(path + signed('acm', secret, 'e'))).toMatchObject(problem('invalid-value'));
    });

    it.each(ROUTES)('a cursor that is cut, changed, a list or an object: /%s', async (route) => {
      const own = await cursorOf(`/${route}?limit=2`);
      const [payload = '', signature = ''] = own.split('.');
      const forged = Buffer.from('["100"]').toString('base64url');
      const texts = [
        own.slice(0, -1),
        own.slice(1),
        payload,
        `.${signature}`,
        `${own}.`,
        `${own}x`,
      ];
      texts.push(
        `${forged}.${signature}`,
        '.',
        '..',
        '0',
        'null',
        '%00',
        '%F0%9F%98%80',
        '%ED%A0%80',
      );
      for (const text of texts) {
        expect([text, await get(`/${route}?after=${text}`)]).toMatchObject([
          text,
          problem('invalid-value'),
        ]);
      }
      for (const query of [
        `after=${own}&after=${own}`,
        `after[]=${own}`,
        `after[0]=${own}`,
        `after[x]=${own}`,
        `after=${own}&after[]=`,
      ]) {
        expect([query, await get(`/${route}?${query}`)]).toMatchObject([
          query,
          problem('malformed'),
        ]);
      }
      expect(await get(`/${route}?before=${own}x`)).toMatchObject(problem('invalid-value'));
      expect(await get(`/${route}?before=${own}&before=${own}`)).toMatchObject(
        problem('malformed'),
      );
      expect(await get(`/${route}?before=${own}&after=${own}`)).toMatchObject(
        problem('not-expressible'),
      );
      // Longer URLs are refused by Node.js itself.
      expect((await get(`/${route}?after=${'x'.repeat(15_000)}`)).status).toBe(400);
    });
  });

  it('documents after instead of page, and the page', async () => {
    const document = SwaggerModule.createDocument(running.app, new DocumentBuilder().build());
    const parameters = (path: string) =>
      document.paths[path]?.get?.parameters?.map(
        (parameter) => 'name' in parameter && parameter.name,
      );
    expect(parameters('/list')).toEqual(['filter', 'sort', 'after', 'before', 'limit']);
    expect(parameters('/fetcher')).toEqual(['filter', 'sort', 'after', 'before', 'limit']);
    expect(parameters('/numbered')).toEqual(['filter', 'sort', 'page', 'limit']);
    const components = JSON.parse(
      JSON.stringify(document.components)
        .replaceAll('"type":"object",', '"type":"object","additionalProperties":false,')
        .replaceAll(/"type":"(\w+)","nullable":true/g, '"type":["$1","null"]'),
    ) as object;
    const validate = new Ajv2020({ strict: false }).compile({
      $ref: '#/components/schemas/TaskPageByCursor',
      components,
    });
    for (const query of ['limit=2', 'limit=50']) {
      const { body } = await get(`/list?${query}`);
      expect([validate(body), validate.errors]).toEqual([true, null]);
    }
    expect(validate({ data: [], meta: { limit: 1, hasNext: false, hasPrev: false } })).toBe(false);
  });
});

describe('a route with cursors: true stops the boot without a secret', () => {
  @Controller()
  class ByQs {
    @Get() list(@Qs(TASKS, on) query: TaskQuery) {
      return query;
    }
  }
  @Controller()
  class ByPaginate {
    @Get() list(@Paginate(TASKS, on) paginate: Paginator<typeof TASKS>) {
      return paginate.parsed;
    }
  }

  it.each<[Type, string]>([
    [ByQs, 'ByQs.list'],
    [ByPaginate, 'ByPaginate.list'],
  ])('%p', async (controller, place) => {
    for (const imports of [[], [QueryModule.forRoot()]]) {
      await expect(
        listen(servers[0] as (typeof servers)[0], { imports, controllers: [controller] }),
      ).rejects.toThrow(
        `${place} sets \`cursors: true\`, but QueryModule has no secret for cursors. Set a secret: QueryModule.forRoot({ cursors: { secret } }).`,
      );
    }
  });
});

it('@Paginated() refuses a total beside cursors', () => {
  expect(() => {
    class BrokenController {
      @Paginated(Task, { cursors: true, total: 'none' })
      list() {}
    }
    return BrokenController;
  }).toThrow('@Paginated() of BrokenController.list sets `total` and `cursors`');
});

/** A cursor for the order of `sort=rank:asc`, as if signed elsewhere. */
function signed(tenant: string, by: string, list = ''): string {
  const sort = [
    { field: 'rank', column: { name: 'rank', type: 'integer' }, direction: 'asc' },
    { field: 'id', column: { name: 'id', type: 'integer' }, direction: 'asc' },
  ] as const;
  return encodeCursor([1, 2], sort, by, { list: 'id,rank,status', scope: [tenant, list] });
}

function parametersOf(url = ''): Record<string, string[]> {
  const { searchParams } = new URL(url, 'http://other');
  return Object.fromEntries(
    [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
  );
}
