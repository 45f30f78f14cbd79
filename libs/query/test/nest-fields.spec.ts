// `fields` of a list route: its parameter, and the response that it documents.
import { type ParsedQuery, paginate } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { Paginate, Paginated, type Paginator, Qs, QueryPipe } from '@fledge/query/nest';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

class Item {
  @ApiProperty({ type: 'integer' }) id!: number;
}
class Task extends Item {
  @ApiProperty({ description: 'What to do.' }) title!: string;
  /** As the CLI plugin of @nestjs/swagger writes it. */
  static _OPENAPI_METADATA_FACTORY() {
    return { secret: { required: true, type: () => String } };
  }
}

const TASKS = {
  columns: { id: 'integer', secret: 'string' },
  selectable: ['title'],
  primaryKey: 'id',
} as const;

const rows = [{ id: 1, title: 'a', secret: 'x' }];

@Controller('tasks')
class TasksController {
  @Get()
  @Paginated(Task)
  qs(@Qs(TASKS) query: ParsedQuery<typeof TASKS>) {
    return paginate({ ...memoryAdapter.build(query, TASKS).apply(rows), parsed: query });
  }

  @Get('paginate')
  @Paginated(Task)
  paginate(@Paginate(TASKS) paginate: Paginator<typeof TASKS>) {
    return paginate((query) => memoryAdapter.build(query, TASKS).apply(rows));
  }

  @Get('pipe')
  @Paginated(Task)
  pipe(@Query(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) {
    return paginate({ ...memoryAdapter.build(query, TASKS).apply(rows), parsed: query });
  }

  @Get('whole')
  @Paginated(Task)
  whole(@Qs({ filterable: ['id'] }) _query: ParsedQuery) {}
}

afterEach(closeAll);

describe.each(platforms)('fields on $name', (platform) => {
  const start = () => serve({ controllers: [TasksController] }, platform);

  it.each(['', '/paginate', '/pipe'])('cut the rows of /tasks%s', async (path) => {
    const { url } = await start();
    const data = async (query: string) => {
      const answer = await fetch(`${url}/tasks${path}?${query}`);
      return ((await answer.json()) as { data: unknown }).data;
    };
    expect(await data('fields=title')).toEqual([{ id: 1, title: 'a' }]);
    expect(await data('fields=secret&sort=secret:asc&filter=secret:eq:x')).toEqual([{ id: 1 }]);
    expect(await data('')).toEqual(rows);
  });

  it('are documented, with items whose properties are not required', async () => {
    const { app } = await start();
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const schemas = document.components?.schemas as Record<string, Record<string, unknown>>;
    expect(schemas['PartialTask']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        title: { type: 'string', description: 'What to do.' },
        secret: { type: 'string' },
      },
    });
    const page = (model: string) => [
      {
        type: 'array',
        items: { $ref: `#/components/schemas/${model}` },
        description: 'The items of this page.',
      },
      `#/components/schemas/${model}Page`,
    ];
    for (const [path, model] of [
      ['/tasks', 'PartialTask'],
      ['/tasks/paginate', 'PartialTask'],
      ['/tasks/pipe', 'PartialTask'],
      ['/tasks/whole', 'Task'],
    ] as const) {
      const [data, ref] = page(model);
      const { parameters = [], responses } = document.paths[path]?.get ?? {};
      expect(responses?.[200]).toMatchObject({
        content: { 'application/json': { schema: { $ref: ref } } },
      });
      expect(schemas[`${model}Page`]).toMatchObject({ properties: { data } });
      // The schema of a pipe is for @fledge/mcp; @nestjs/swagger does not read it.
      if (path === '/tasks/pipe') continue;
      const fields = parameters.find((each) => 'name' in each && each.name === 'fields');
      expect(fields).toEqual(
        model === 'Task'
          ? undefined
          : expect.objectContaining({
              in: 'query',
              required: false,
              schema: expect.objectContaining({ items: { type: 'string', enum: ['title'] } }),
            }),
      );
    }
    expect(schemas['Task']?.['required']).toEqual(
      expect.arrayContaining(['id', 'title', 'secret']),
    );
  });
});
