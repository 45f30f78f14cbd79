import { paginate, type ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginate, type Paginator, Qs, QueryModule } from '@fledge/query/nest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { StandardQuerySchema } from '../src/nest/standard-query-schema.js';
import { describeForSwagger } from '../src/nest/swagger-parameters.js';
import { type Running, listen, servers } from './support/servers.js';

const TASKS = { columns: { id: 'integer', status: 'string' }, primaryKey: 'id' } as const;
const NONE = { filterable: [], sortable: ['id'] } as const;

const rows = [
  { id: 1, status: 'open' },
  { id: 2, status: 'done' },
  { id: 3, status: null },
];

@Controller()
class TasksController {
  @Get('list')
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return paginate({ ...memoryAdapter.build(query, TASKS).apply(rows), parsed: query });
  }

  @Get('paginator')
  paginator(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => memoryAdapter.build(query, TASKS).apply(rows));
  }

  @Get('strict')
  strict(@Qs(TASKS, { onInvalid: 'throw' }) query: ParsedQuery<typeof TASKS>) {
    return memoryAdapter.build(query, TASKS).apply(rows);
  }

  @Get('off')
  off(@Qs(TASKS, { where: false }) query: ParsedQuery<typeof TASKS>) {
    return query;
  }

  @Get('none')
  none(@Qs(NONE) query: ParsedQuery<typeof NONE>) {
    return query;
  }
}

const path = (route: string, ...where: string[]) =>
  `/${route}?${where.map((text) => `where=${encodeURIComponent(text)}`).join('&')}`;

describe.each(servers)('where on $name', (server) => {
  let running: Running;
  beforeAll(async () => {
    running = await listen(server, {
      imports: [QueryModule.forRoot({ where: true, linkHeader: true })],
      controllers: [TasksController],
    });
  });
  afterAll(() => running.close());

  it.each(['list', 'paginator', 'strict'])('selects rows by groups: %s', async (route) => {
    const ids = async (...where: string[]) => {
      const { body } = await running.get(path(route, ...where));
      return (body as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    expect(await ids('or(id:eq:3,status:eq:open)')).toEqual([1, 3]);
    expect(await ids('not(status:eq:open)')).toEqual([2]);
    expect(await ids('not(id:in:"1,2")', 'id:gt:0')).toEqual([3]);
  });

  it.each(['list', 'paginator', 'strict'])('answers 400 for each fault: %s', async (route) => {
    const problems = async (where: string) => {
      const { status, body } = await running.get(path(route, where));
      return [status, (body as { errors: object[] }).errors];
    };
    expect(await problems('or(id:eq:1')).toEqual([
      400,
      [expect.objectContaining({ kind: 'where', reason: 'malformed', at: 10 })],
    ]);
    expect(await problems('or(id:eq:1,secret:eq:1)')).toEqual([
      400,
      [{ kind: 'where', field: 'secret', reason: 'field-not-allowed', at: 11 }],
    ]);
    expect(await problems('not(id:eq:x)')).toEqual([
      400,
      [expect.objectContaining({ kind: 'where', field: 'id', reason: 'invalid-value' })],
    ]);
    expect((await problems('not('.repeat(500)))[0]).toBe(400);
    expect((await running.get(`/${route}?where[a]=id:eq:1`)).status).toBe(400);
  });

  it('keeps the groups in links', async () => {
    const { link } = await running.get(
      `${path('list', 'or(id:eq:3,id:eq:1)')}&limit=1&where[]=id:gt:0`,
    );
    const [, next] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
    const { body } = await running.get(next ?? '');
    expect(body).toMatchObject({ data: [{ id: 3 }], meta: { page: 2, total: 2 } });
    expect(new URL(next ?? '', 'http://a').searchParams.getAll('where')).toHaveLength(2);
  });

  it('is off where a route says so', async () => {
    expect((await running.get(path('off', 'or('))).body).not.toHaveProperty('where');
  });

  it('is documented as a list of texts', async () => {
    const document = SwaggerModule.createDocument(running.app, new DocumentBuilder().build());
    const namesOf = (route: string) =>
      document.paths[route]?.get?.parameters?.map(
        (parameter) => 'name' in parameter && parameter.name,
      );
    expect(document.paths['/list']?.get?.parameters).toContainEqual({
      name: 'where',
      in: 'query',
      required: false,
      description: expect.stringContaining('Example: or(id:eq:a,not(status:in:"b,c"))'),
      schema: expect.objectContaining({ type: 'array', items: { type: 'string' }, maxItems: 50 }),
    });
    expect(namesOf('/off')).not.toContain('where');
    expect(namesOf('/none')).toEqual(['sort', 'page', 'limit']);
  });
});

describe('describeForSwagger, for NestJS 11', () => {
  it('documents a parameter that an option of the module adds', () => {
    const handler = () => undefined;
    const schema = new StandardQuerySchema(({ where = false }) => ({
      type: 'object',
      properties: { page: {}, ...(where && { where: { description: 'Groups.' } }) },
    }));
    describeForSwagger(handler, schema);
    const recorded = () =>
      Reflect.getMetadata('swagger/apiParameters', handler) as { name: string }[];
    expect(recorded().map(({ name }) => name)).toEqual(['page']);
    schema.setOptions({ where: true });
    expect(recorded()).toMatchObject([{ name: 'page' }, { name: 'where', description: 'Groups.' }]);
    schema.setOptions({});
    expect(recorded().map(({ name }) => name)).toEqual(['page']);
  });
});
