// Clients of HTTP QUERY (RFC 10008) send the parameters in the body. A body that is not read would widen the list.
import { type RequestContext, ContextModule, Ctx } from '@fledge/core';
import type { ParsedQuery } from '@fledge/query';
import { InvalidQueryConfigError } from '@fledge/query';
import { Paginate, type Paginator, Qs, QueryModule, QueryPipe } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  All,
  Body,
  Controller,
  Get,
  type INestApplication,
  Query,
  QueryMethod,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { closeNow } from './support/close-now.js';
import { listen, type Running, servers } from '../libs/query/test/support/servers.js';

const TASKS = { filterable: ['status'], sortable: ['title'], searchable: ['title'] } as const;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const ACCEPTED = `${JSON_TYPE}, ${FORM}`;

@Controller()
class TasksController {
  @QueryMethod('qs')
  qs(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('paginate')
  paginate(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate.parsed;
  }

  @QueryMethod('context')
  context(@Ctx() ctx: RequestContext) {
    return ctx.qs(TASKS);
  }

  @QueryMethod('twice')
  twice(
    @Ctx() ctx: RequestContext,
    @Qs(TASKS) query: ParsedQuery<typeof TASKS>,
    @Paginate() paginate: Paginator<typeof TASKS>,
  ) {
    return { ...query, same: [ctx.qs(TASKS), paginate.parsed] };
  }

  @All('all')
  all(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('body')
  body(@Body(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('strict')
  strict(@Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @QueryMethod('page')
  page(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate({ data: [], total: 100 });
  }

  @Get('page')
  linked(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate({ data: [], total: 100 });
  }
}

const READERS = ['qs', 'paginate', 'context', 'twice', 'all'];
const OPEN = { field: 'status', operator: 'eq', value: 'open' };

describe.each(servers)('HTTP QUERY on $name', (server) => {
  let running: Running;
  let url: string;

  beforeAll(async () => {
    running = await listen(server, {
      imports: [ContextModule, QueryModule.forRoot({ linkHeader: true })],
      controllers: [TasksController],
    });
    url = await running.app.getUrl();
  });
  afterAll(() => running.close());

  const ask = async (path: string, type: string | undefined, body: string) => {
    const headers = type === undefined ? undefined : { 'content-type': type };
    // As bytes, because fetch() names the type of a text.
    const sent = {
      method: 'QUERY',
      body: new TextEncoder().encode(body),
      ...(headers && { headers }),
    };
    const response = await fetch(`${url}/${path}`, sent);
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, answer, headers: response.headers };
  };

  it.each(READERS)('reads a JSON body as the parameters of a URL, in %s', async (path) => {
    const query = { filter: ['status:eq:open'], sort: 'title:desc', page: 2, limit: '5', q: 'a' };
    const { status, answer, headers } = await ask(path, JSON_TYPE, JSON.stringify(query));
    expect({ status, accepted: headers.get('accept-query') }).toEqual({
      status: 200,
      accepted: ACCEPTED,
    });
    const expected = {
      filters: [OPEN],
      sort: [{ field: 'title', direction: 'desc' }],
      pagination: { page: 2, limit: 5, offset: 5 },
      search: 'a',
    };
    expect(answer).toEqual(
      path === 'twice' ? { ...expected, same: [expected, expected] } : expected,
    );
  });

  it.each(READERS)('reads the body of a form as a query string, in %s', async (path) => {
    const done = { ...OPEN, operator: 'neq', value: 'done' };
    const many = Array.from({ length: 25 }, () => 'filter=status%3Aneq%3Adone').join('&');
    for (const [body, filters] of [
      ['filter=status:eq:open&filter=status:neq:done', [OPEN, done]],
      ['filter[]=status:eq:open&filter[1]=status:neq:done', [OPEN, done]],
      [many, Array.from({ length: 25 }, () => done)],
    ] as const) {
      const { status, answer } = await ask(path, `${FORM}; charset=utf-8`, body);
      expect({ status, filters: answer['filters'] }).toEqual({ status: 200, filters });
    }
  });

  it('joins the parameters of the URL and of the body', async () => {
    const { answer } = await ask('qs?page=3&limit=7', JSON_TYPE, '{"filter":"status:eq:open"}');
    expect(answer).toMatchObject({ filters: [OPEN], pagination: { page: 3, limit: 7 } });
  });

  it.each([
    ['qs?filter=status:eq:open', JSON_TYPE, '{"filter":[]}', 'filter'],
    ['context?page=2', FORM, 'page=2', 'page'],
    ['paginate?filter[]=status:eq:open', FORM, 'filter=status:eq:done', 'filter'],
    ['all?own=1', JSON_TYPE, '{"own[x]":1}', 'own'],
  ])('rejects a parameter in both: %s', async (path, type, body, field) => {
    const { status, answer } = await ask(path, type, body);
    expect({ status, errors: answer['errors'] }).toEqual({
      status: 400,
      errors: [
        {
          kind: 'body',
          field,
          reason: 'duplicate',
          expected: 'the parameter either in the URL or in the body',
        },
      ],
    });
  });

  it.each(READERS)('answers another media type with 415, in %s', async (path) => {
    for (const type of ['text/plain', 'application/xml', 'application/vnd.list+json']) {
      const { status, answer } = await ask(path, type, 'filter=status:eq:open');
      expect({ type, status, answer }).toEqual({
        type,
        status: 415,
        answer: expect.objectContaining({ statusCode: 415 }),
      });
    }
    // Fastify answers types that it has no parser for itself.
    const { headers } = await ask(path, 'text/plain', 'x');
    expect(headers.get('accept-query')).toBe(ACCEPTED);
  });

  it.each([
    [JSON_TYPE, '[{"filter":"status:eq:open"}]'],
    [JSON_TYPE, '"filter=status:eq:open"'],
    [JSON_TYPE, 'null'],
    [JSON_TYPE, '{'],
    [undefined, 'filter=status:eq:open'],
  ])('answers 400 for a body with no parameters: %s %s', async (type, body) => {
    for (const path of READERS) {
      const { status } = await ask(path, type, body);
      expect({ path, status }).toEqual({ path, status: 400 });
    }
  });

  it('answers 400 without a body', async () => {
    for (const type of [JSON_TYPE, undefined]) {
      const headers = type === undefined ? undefined : { 'content-type': type };
      const sent = { method: 'QUERY', ...(headers && { headers }) };
      const { status } = await fetch(`${url}/qs`, sent);
      // fetch() sends an empty body, which Express reads as no parameters.
      expect({ type, status }).toEqual({
        type,
        status: type === undefined || server.name === 'Fastify' ? 400 : 200,
      });
    }
  });

  it('rejects in strict mode what a body may not have', async () => {
    const { status, answer } = await ask('strict', JSON_TYPE, '{"status":"open","filters":[]}');
    expect(status).toBe(400);
    expect(answer['errors']).toEqual([
      { kind: 'filter', field: 'status', reason: 'malformed', expected: 'filter=status:eq:value' },
      { kind: 'filter', reason: 'malformed', expected: '`filter` instead of "filters"' },
    ]);
  });

  it('reads @Body(new QueryPipe()) too', async () => {
    const { answer } = await ask('body', JSON_TYPE, '{"filter":["status:eq:open"]}');
    expect(answer['filters']).toEqual([OPEN]);
  });

  it('sets no Link header, whose targets are fetched with GET', async () => {
    const { answer, headers } = await ask('page', FORM, 'page=2');
    expect({ page: answer['meta'], link: headers.get('link') }).toMatchObject({
      page: { page: 2 },
      link: null,
    });
    const { link } = await running.get('/page?page=2');
    expect(link).toContain('rel="next"');
  });

  it('does not read the body of other methods', async () => {
    const response = await fetch(`${url}/all?page=2`, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body: '{"page":3}',
    });
    expect(await response.json()).toMatchObject({ pagination: { page: 2 } });
    expect(response.headers.get('accept-query')).toBeNull();
  });

  it('is rejected in an application that reads no bodies', async () => {
    const app = await NestFactory.create<INestApplication>(
      { module: class AppModule {}, controllers: [TasksController] },
      server.adapter(),
      { logger: false, abortOnError: false, bodyParser: false },
    );
    await app.listen(0, '127.0.0.1');
    const { status } = await fetch(`${await app.getUrl()}/qs`, {
      method: 'QUERY',
      headers: { 'content-type': FORM },
      body: 'filter=status:eq:open',
    });
    await closeNow(app);
    expect(status).toBe(server.name === 'Fastify' ? 415 : 400);
  });

  it('documents parameters and body where @nestjs/swagger writes the method: OpenAPI 3.2', () => {
    const config = new DocumentBuilder().setOpenAPIVersion('3.2.0').build();
    const { paths } = SwaggerModule.createDocument(running.app, config);
    const operation = (paths['/qs'] as Record<string, OpenAPIObject['paths'][string]['get']>)[
      'query'
    ];
    const schema = {
      type: 'object',
      properties: expect.objectContaining({
        filter: expect.objectContaining({ type: 'array' }),
        limit: expect.objectContaining({ maximum: 100 }),
      }),
    };
    expect(operation?.requestBody).toEqual({
      required: true,
      content: { [JSON_TYPE]: { schema }, [FORM]: { schema } },
    });
    expect(operation?.parameters).toHaveLength(5);
    expect(paths['/page']?.get?.requestBody).toBeUndefined();
  });

  it('stops the startup where a pipe reads the URL of HTTP QUERY', async () => {
    @Controller()
    class PipeController {
      @QueryMethod()
      search(@Query(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
        return query;
      }
    }
    const start = listen(server, {
      imports: [QueryModule.forRoot()],
      controllers: [PipeController],
    });
    await expect(start).rejects.toThrow(InvalidQueryConfigError);
    await expect(start).rejects.toThrow(
      'PipeController.search handles HTTP QUERY, but @Query(new QueryPipe()) reads only the URL. ' +
        'Use @Qs(), which also reads the body, or @Body(new QueryPipe()).',
    );
  });
});
