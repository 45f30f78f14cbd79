// `facets`, `aggregate` and `group` of a route: their parameters, their faults, and the answer that it documents.
import type { ParsedQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { paginate } from '@fledge/query';
import { Qs, QueryModule, Summarized } from '@fledge/query/nest';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

const TASKS = {
  columns: { id: 'integer', status: 'string', createdAt: 'timestamp', amount: 'decimal' },
  primaryKey: 'id',
  facetable: ['status'],
  groupable: ['status', 'createdAt'],
  aggregatable: ['amount'],
  timeZone: 'Europe/Berlin',
} as const;
const PLAIN = { columns: TASKS.columns, primaryKey: 'id' } as const;

const rows = [
  { id: 1, status: 'open', createdAt: new Date('2026-01-31T22:30:00Z'), amount: '1.10' },
  { id: 2, status: 'open', createdAt: new Date('2026-01-31T23:30:00Z'), amount: '2.20' },
  { id: 3, status: 'done', createdAt: new Date('2026-02-01T08:00:00Z'), amount: null },
];

@Controller('tasks')
class TasksController {
  @Get('summary')
  @Summarized()
  summary(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return memoryAdapter.summarize(query, TASKS, rows);
  }

  @Get()
  async list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    const page = paginate({ ...memoryAdapter.build(query, TASKS).apply(rows), parsed: query });
    return { ...page, ...(await memoryAdapter.summarize(query, TASKS, rows)) };
  }

  @Get('plain')
  plain(@Qs(PLAIN) query: ParsedQuery<typeof PLAIN>) {
    return query;
  }
}

afterEach(closeAll);

describe.each(platforms)('summaries on $name', (platform) => {
  const start = () =>
    serve({ imports: [QueryModule.forRoot({})], controllers: [TasksController] }, platform);
  it('can be requested by the links of a page', async () => {
    const imports = [QueryModule.forRoot({ linkHeader: true, onInvalid: 'throw' })];
    const { url } = await serve({ imports, controllers: [TasksController] }, platform);
    const response = await fetch(`${url}/tasks?facets=status&limit=1`);
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    const following = await fetch(url + next);
    expect(following.status).toBe(200);
    expect(await following.json()).toMatchObject({ data: [{ id: 2 }], facets: { status: {} } });
  });

  const get = async (url: string, path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('answer by the time zone of the config, or that of the client', async () => {
    const { url } = await start();
    const query =
      '?aggregate=count,sum:amount&group=createdAt:month&facets=status&filter=status:eq:open';
    expect(await get(url, `/tasks/summary${query}`)).toEqual({
      status: 200,
      body: {
        facets: {
          status: {
            groups: [
              { value: 'open', count: 2 },
              { value: 'done', count: 1 },
            ],
            total: 2,
          },
        },
        aggregates: {
          groups: [
            { group: { createdAt: '2026-01' }, count: 1, sum: { amount: '1.1' } },
            { group: { createdAt: '2026-02' }, count: 1, sum: { amount: '2.2' } },
          ],
          total: 2,
        },
      },
    });
    const inTokyo = await get(url, '/tasks/summary?group=createdAt:month&timezone=Asia/Tokyo');
    expect(inTokyo.body['aggregates']).toMatchObject({ total: 1 });
  });

  it('stand beside a page of rows', async () => {
    const { url } = await start();
    const { body } = await get(url, '/tasks?facets=status&limit=1&sort=id:asc');
    expect(body).toMatchObject({
      data: [{ id: 1 }],
      meta: { total: 3 },
      facets: { status: { total: 2 } },
    });
  });

  it.each([
    ['facets=secret', { kind: 'facets', field: 'secret', reason: 'field-not-allowed' }],
    ['group=createdAt', { kind: 'group', field: 'createdAt', reason: 'malformed' }],
    ['aggregate=sum:status', { kind: 'aggregate', field: 'status', reason: 'field-not-allowed' }],
    ['group=status&timezone=Mars', { kind: 'timezone', reason: 'invalid-value' }],
    ['group=status&filter=id:eq:x', { kind: 'filter', field: 'id', reason: 'invalid-value' }],
  ])('answer 400 to ?%s', async (query, problem) => {
    const { url } = await start();
    const { status, body } = await get(url, `/tasks/summary?${query}`);
    expect(status).toBe(400);
    expect(body['errors']).toEqual([expect.objectContaining(problem)]);
  });

  it('are unknown parameters without the lists', async () => {
    const { url } = await start();
    const { body } = await get(
      url,
      '/tasks/plain?facets=status&aggregate=count&group=x&timezone=y',
    );
    expect(body).not.toHaveProperty('summary');
    expect(body).toEqual((await get(url, '/tasks/plain')).body);
  });

  it('are documented in OpenAPI', async () => {
    const { app } = await start();
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const { parameters, responses } = document.paths['/tasks/summary']?.get ?? {};
    const byName = Object.fromEntries(
      (parameters as unknown as { name: string; schema: object }[]).map((each) => [
        each.name,
        each,
      ]),
    );
    const names = ['filter', 'facets', 'aggregate', 'group', 'timezone'];
    expect(Object.keys(byName)).toEqual(names);
    expect(byName['facets']?.schema).toMatchObject({ items: { enum: ['status'] }, maxItems: 10 });
    expect(byName['aggregate']?.schema).toMatchObject({
      items: { enum: ['count', 'sum:amount', 'avg:amount', 'min:amount', 'max:amount'] },
    });
    expect(byName['group']?.schema).toMatchObject({
      items: {
        enum: [
          'status',
          ...['createdAt:day', 'createdAt:week', 'createdAt:month', 'createdAt:year'],
        ],
      },
      maxItems: 3,
    });
    expect(byName['timezone']?.schema).toMatchObject({ type: 'string', default: 'Europe/Berlin' });
    expect(JSON.stringify(responses)).toContain('#/components/schemas/Summary');
    expect(document.components?.schemas?.['Summary']).toMatchObject({
      type: 'object',
      properties: {
        facets: { additionalProperties: { required: ['groups', 'total'] } },
        aggregates: { properties: { groups: { type: 'array' }, total: { type: 'integer' } } },
      },
    });
    const plain = document.paths['/tasks/plain']?.get?.parameters as unknown as { name: string }[];
    expect(plain.map(({ name }) => name)).toEqual(['filter', 'sort', 'page', 'limit']);
  });
});
