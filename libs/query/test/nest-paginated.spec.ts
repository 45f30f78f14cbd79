// The response of a list in OpenAPI, and as the output schema of its tool.
import type { PaginatedResponse, ParsedQuery } from '@fledge/query';
import { paginate } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginated, Qs } from '@fledge/query/nest';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type Type } from '@nestjs/common';
import { ApiNotFoundResponse, ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

class Task {
  @ApiProperty({ type: 'integer' }) id!: number;
  @ApiProperty({ type: String, nullable: true }) due!: string | null;
}

const TASKS = { columns: { id: 'integer', due: 'date' }, primaryKey: 'id' } as const;

const rows: Task[] = [
  { id: 1, due: null },
  { id: 2, due: '2026-01-31' },
];

@Controller('tasks')
class TasksController {
  @Get()
  @Paginated(Task)
  @ApiNotFoundResponse({ description: 'No such list' })
  list(@Qs(TASKS) query: ParsedQuery<typeof TASKS>): PaginatedResponse<Task> {
    return paginate({ ...memoryAdapter.build(query, TASKS).apply(rows), parsed: query });
  }

  @Get('again')
  @Paginated(Task, { description: 'The same page.' })
  again() {}

  @Get('none')
  @Paginated(Task, { total: 'none' })
  none() {
    return paginate({ data: rows, total: { kind: 'none' }, parsed: PARSED });
  }

  @Get('capped')
  @Paginated(Task, { total: 'capped' })
  capped() {
    return paginate({ data: rows, total: { kind: 'capped', cap: 9, counted: 2 }, parsed: PARSED });
  }

  @Get('estimated')
  @Paginated(Task, { total: 'estimated' })
  estimated() {
    return paginate({ data: rows, total: { kind: 'estimated', total: 2 }, parsed: PARSED });
  }
}

const PARSED = {
  filters: [],
  sort: [],
  pagination: { page: 1, limit: 20, offset: 0 },
  search: '',
};

afterEach(closeAll);

describe.each(platforms)('@Paginated() on $name', (platform) => {
  const start = () => serve({ controllers: [TasksController] }, platform);

  it('documents the page as a named component whose properties are required', async () => {
    const { app } = await start();
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(document.paths['/tasks']?.get?.responses).toEqual({
      200: {
        description: 'One page of the list.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/TaskPage' } } },
      },
      404: { description: 'No such list' },
    });
    const { schemas } = document.components ?? {};
    expect(Object.keys(schemas ?? {}).toSorted()).toEqual([
      'PageMeta',
      'PageMetaWithCappedTotal',
      'PageMetaWithEstimatedTotal',
      'PageMetaWithoutTotal',
      'Task',
      'TaskPage',
      'TaskPageWithCappedTotal',
      'TaskPageWithEstimatedTotal',
      'TaskPageWithoutTotal',
    ]);
    expect(schemas?.['TaskPage']).toEqual({
      type: 'object',
      properties: {
        data: {
          type: 'array',
          items: { $ref: '#/components/schemas/Task' },
          description: 'The items of this page.',
        },
        meta: {
          allOf: [{ $ref: '#/components/schemas/PageMeta' }],
          description: 'The position of this page in the list.',
        },
      },
      required: ['data', 'meta'],
    });
    expect(schemas?.['PageMeta']).toMatchObject({
      properties: { page: { type: 'integer', minimum: 1 }, hasNext: { type: 'boolean' } },
      required: ['page', 'limit', 'total', 'totalPages', 'hasNext', 'hasPrev'],
    });
    expect(schemas?.['PageMetaWithoutTotal']).toMatchObject({
      required: ['page', 'limit', 'hasNext', 'hasPrev'],
    });
  });

  it.each([
    ['', 'TaskPage'],
    ['/none', 'TaskPageWithoutTotal'],
    ['/capped', 'TaskPageWithCappedTotal'],
    ['/estimated', 'TaskPageWithEstimatedTotal'],
  ])('describes what /tasks%s answers, and all of it', async (path, name) => {
    const { app, url } = await start();
    const { components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const answer: unknown = await (await fetch(`${url}/tasks${path}`)).json();
    expect(answer).toMatchObject({ data: [{ id: 1 }, { id: 2 }] });
    const validate = new Ajv2020({ strict: false }).compile({
      $ref: `#/components/schemas/${name}`,
      components: closed(components),
    });
    expect([validate(answer), validate.errors]).toEqual([true, null]);
  });
});

describe('@Paginated()', () => {
  it('refuses a value that is no class, naming the route', () => {
    const decorate = (item: unknown) => () => {
      class BrokenController {
        @Paginated(item as Type)
        list() {}
      }
      return BrokenController;
    };
    expect(decorate(undefined)).toThrow(
      '@Paginated() of BrokenController.list received undefined instead of an item class',
    );
    expect(decorate({ type: 'object' })).toThrow('BrokenController.list received object');
  });
});

/** The components as JSON Schema that allows nothing they leave out, so that a missing property is seen. */
function closed(components: unknown): unknown {
  const text = JSON.stringify(components)
    .replaceAll('"type":"object",', '"type":"object","additionalProperties":false,')
    .replaceAll('"type":"string","nullable":true', '"type":["string","null"]');
  return JSON.parse(text) as unknown;
}
